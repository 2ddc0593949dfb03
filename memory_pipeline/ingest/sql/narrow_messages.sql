-- A copy of a known message that came for others, too: a reader must hold the audiences of all its
-- copies, whichever came first.
insert into memory.message_restriction (message_id, audience_id, tenant_id, batch_id)
select distinct m.message_id, s.audience_id, %(tenant_id)s, %(batch_id)s::uuid
from stage_message as s
join memory.message as m
    on m.tenant_id = %(tenant_id)s and m.message_key = s.message_key
    and m.edited_at is not distinct from s.edited_at
join memory.audience as mine on mine.audience_id = m.audience_id
join memory.audience as its on its.audience_id = s.audience_id
where m.text_hash = s.text_hash and not its.names <@ mine.names
on conflict do nothing

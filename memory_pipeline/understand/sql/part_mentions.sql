-- A label that a second speaker of the dialog came to bear joins nothing any more, as if both had
-- been there from the start.
insert into memory.withdrawal (statement_id, tenant_id, audience_id, batch_id, reason)
select j.same_as_id, %(tenant_id)s, j.audience_id, %(batch_id)s, 'label_shared'
from memory.same_as as j
join memory.entity as m on m.entity_id = j.left_id
where m.dialog_id = %(dialog_id)s and m.kind = 'mention' and j.rule = 'mention_label'
    and (
        select count(distinct s.entity_id)
        from memory.name_content as mn
        join memory.name_content as sn on sn.lookup = mn.lookup and sn.form = 'label'
        join memory.entity as s on s.entity_id = sn.entity_id
        where mn.entity_id = m.entity_id and s.dialog_id = m.dialog_id and s.kind = 'speaker'
    ) > 1
on conflict (statement_id) do nothing

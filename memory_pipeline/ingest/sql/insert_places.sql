-- The stretch of each dialog that the file tells of, messages that are known included.
insert into memory.file_dialog (file_id, dialog_id, batch_id, sent_from, sent_to, n_untimed)
select
    %(file_id)s, d.dialog_id, %(batch_id)s, min(least(s.sent_at, m.sent_at)),
    max(greatest(s.sent_at, m.sent_at)), count(*) filter (where s.sent_at is null)
from stage_message as s
join memory.dialog as d on d.tenant_id = %(tenant_id)s and d.dialog_key = s.dialog_key
-- a known one has the time that its first file gave it
left join memory.message as m
    on m.tenant_id = %(tenant_id)s and m.message_key = s.message_key
    and m.edited_at is not distinct from s.edited_at
group by d.dialog_id

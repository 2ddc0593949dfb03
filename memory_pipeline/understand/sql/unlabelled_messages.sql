select m.message_id, m.audience_id, m.text_hash, m.role::text, c.text
from memory.message as m
join memory.message_content as c on c.message_id = m.message_id and c.dialog_id = m.dialog_id
where m.tenant_id = %(tenant_id)s
    and m.message_id <> all (%(failed)s::uuid[])
    and (
        %(day)s::date is null
        or exists (
            select from memory.log_file as f
            where f.file_id = m.file_id and f.first_seen_day = %(day)s::date
        )
    )
    and not exists (
        select from memory.label as l
        where l.message_id = m.message_id and l.author = %(author)s
    )
order by m.message_id
limit %(limit)s

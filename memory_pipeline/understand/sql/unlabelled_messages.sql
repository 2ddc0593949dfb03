-- Messages whose newest label of a machine is not the active version's: also those that it labelled
-- before another version did.
select m.message_id, m.audience_id, m.text_hash, m.role::text, c.text
from memory.message as m
join memory.message_content as c on c.message_id = m.message_id and c.dialog_id = m.dialog_id
where m.tenant_id = %(tenant_id)s
    and m.message_id > %(after)s
    and (
        %(day)s::date is null
        or exists (
            select from memory.log_file as f
            where f.file_id = m.file_id and f.first_seen_day = %(day)s::date
        )
    )
    and (
        select l.author
        from memory.label as l
        join memory.batch as b using (batch_id)
        where l.message_id = m.message_id and l.author_kind <> 'human'
        order by b.batch_no desc
        limit 1
    ) is distinct from %(author)s
order by m.message_id
limit %(limit)s

-- Dialogs that gained a message since their last pass, or whose last pass was another version's.
select d.dialog_id, d.tenant_id
from memory.dialog as d
left join lateral (
    select p.seen_batch_no, p.extractor_id, p.registry_hash
    from memory.extraction_pass as p
    where p.dialog_id = d.dialog_id
    order by p.pass_id desc
    limit 1
) as last_pass on true
where d.tenant_id = %(tenant_id)s
    and (
        %(day)s::date is null
        or exists (
            select from memory.message as m
            join memory.log_file as f using (file_id)
            where m.dialog_id = d.dialog_id and f.first_seen_day = %(day)s::date
        )
    )
    and (
        last_pass.extractor_id is distinct from %(extractor_id)s
        or last_pass.registry_hash is distinct from %(registry_hash)s
        or exists (
            select from memory.message as m
            join memory.batch as b using (batch_id)
            where m.dialog_id = d.dialog_id and b.batch_no > last_pass.seen_batch_no
        )
        or exists (
            select from memory.message as m
            join memory.withdrawal as w on w.statement_id = m.message_id
            join memory.batch as b on b.batch_id = w.batch_id
            where m.dialog_id = d.dialog_id and b.batch_no > last_pass.seen_batch_no
        )
    )
order by d.dialog_id

-- All content of a tenant in which a secret may stand: (kind, id, audience, dialog, text, content). Of
-- a message the text is apart, since its spans are redacted; of the rest whole strings.
-- With %(dialogs)s, only of these.
select c.* from (
select
    'message', m.message_id, m.audience_id, m.dialog_id, c.text,
    jsonb_build_array(c.attachments, c.tags)
from memory.message as m
join memory.message_content as c using (message_id, dialog_id)
where m.tenant_id = %(tenant)s
union all
select 'atom', a.atom_id, a.audience_id, m.dialog_id, null, jsonb_build_array(c.object, c.text)
from memory.atom as a
join memory.atom_content as c using (atom_id, subject_id)
left join memory.message as m on m.message_id = a.message_id
where a.tenant_id = %(tenant)s
union all
select 'closure', a.closure_id, a.audience_id, m.dialog_id, null, jsonb_build_array(c.object, c.text)
from memory.closure as a
join memory.closure_content as c using (closure_id)
left join memory.message as m on m.message_id = a.message_id
where a.tenant_id = %(tenant)s
union all
select 'reason', r.statement_id, r.audience_id, m.dialog_id, null, to_jsonb(r.reason)
from memory.reason_content as r
join (
    select atom_id as statement_id, tenant_id, message_id from memory.atom
    union all
    select closure_id, tenant_id, message_id from memory.closure
) as s using (statement_id)
left join memory.message as m on m.message_id = s.message_id
where s.tenant_id = %(tenant)s
union all
select 'extraction', x.extraction_id, x.audience_id, m.dialog_id, null, c.answer
from memory.extraction as x
join memory.extraction_content as c using (extraction_id)
join memory.message as m on m.message_id = x.message_id
where x.tenant_id = %(tenant)s
union all
select 'review', r.review_id, r.audience_id, m.dialog_id, null, c.item
from memory.review as r
join memory.review_content as c using (review_id)
left join memory.message as m on m.message_id = r.message_id
where r.tenant_id = %(tenant)s
union all
select 'dialog', d.dialog_id, null, d.dialog_id, null,
    jsonb_build_array(c.title, c.namespace, c.native_id)
from memory.dialog as d
join memory.dialog_content as c using (dialog_id)
where d.tenant_id = %(tenant)s
union all
select 'snapshot', s.snapshot_id, s.audience_id, s.dialog_id, null,
    jsonb_build_array(c.query, c.snapshot)
from memory.snapshot as s
join memory.snapshot_content as c using (snapshot_id)
where s.tenant_id = %(tenant)s
union all
select 'snapshot_request', r.request_id, r.audience_id, r.dialog_id, null, to_jsonb(c.query)
from memory.snapshot_request as r
join memory.snapshot_request_content as c using (request_id)
where r.tenant_id = %(tenant)s
) as c (kind, item_id, audience_id, dialog_id, text, content)
where %(dialogs)s::uuid[] is null or c.dialog_id = any (%(dialogs)s::uuid[])

-- Keys of what the scope's person told in the evidence messages of a request: of text and minute
-- (suppress.told_key) but for what anybody says, and of a longer text alone (aliases.text_key).
insert into memory.suppression_key (suppression_id, dimension, key)
select s.suppression_id, 'value', k.key
from memory.erasure_request as r
join memory.suppression as s using (request_id)
cross join lateral memory.evidence_messages(r.request_id) as e
join memory.message as m on m.message_id = e.message_id
cross join lateral (
    select substr(sha256(m.text_hash || int8send(
        floor(extract(epoch from coalesce(m.edited_at, m.sent_at)) / 60)::bigint)), 1, 16) as key
    where coalesce(m.edited_at, m.sent_at) is not null and m.n_chars >= %(few_chars)s
    union all
    select substr(sha256(m.text_hash || convert_to('at any time', 'UTF8')), 1, 16)
    where m.n_chars >= %(least_chars)s
) as k
where r.request_id = %(request_id)s
    and m.speaker_id = any (memory.scope_members(r.scope))
on conflict do nothing

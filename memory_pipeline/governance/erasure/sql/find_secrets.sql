-- Vault values all of whose uses go, with the statements that have them.
insert into memory.erasure_item (request_id, kind, item_id, item_audience_id, action)
select distinct %(request_id)s::uuid, 'secret'::memory.erasure_kind, u.secret_id, null::int,
    'erase'::memory.erasure_action
from memory.erasure_item as i
join memory.secret_use as u on u.message_id = i.item_id
where i.request_id = %(request_id)s and i.kind = 'message' and i.action in ('redact', 'erase')
    and not exists (
        select from memory.secret_use as other
        where other.secret_id = u.secret_id and not memory.is_use_gone(%(request_id)s, other))
    and not exists (
        select from memory.atom as a
        where a.secret_id = u.secret_id
            and not exists (select from memory.tombstone as t where t.atom_id = a.atom_id)
            and not exists (
                select from memory.erasure_item as x
                where x.request_id = %(request_id)s and x.kind = 'atom' and x.item_id = a.atom_id
                    and x.action = 'erase'))
on conflict do nothing

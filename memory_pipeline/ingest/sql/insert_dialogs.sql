with added as (
    insert into memory.dialog (dialog_id, tenant_id, batch_id, dialog_key, tz)
    select distinct on (dialog_key)
        new_dialog_id, %(tenant_id)s, %(batch_id)s, dialog_key, tz
    from stage_message
    order by dialog_key, position
    on conflict (tenant_id, dialog_key) do nothing
    returning dialog_id, dialog_key
)
insert into memory.dialog_content (dialog_id, namespace, native_id, title, native_lookup)
select distinct on (added.dialog_id)
    added.dialog_id, s.namespace, s.native_dialog, s.dialog_title, s.dialog_lookup
from added
join stage_message as s using (dialog_key)
order by added.dialog_id, s.position

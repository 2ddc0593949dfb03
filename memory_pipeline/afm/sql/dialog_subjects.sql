-- Whom a dialog is about: its speakers, as one with themselves elsewhere, and those it mentions.
select memory.component(array_agg(entity_id), %(batch_no)s::bigint)
from memory.entity
where dialog_id = %(dialog_id)s

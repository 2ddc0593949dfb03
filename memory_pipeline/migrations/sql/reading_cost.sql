-- Reading costs less where the store is large.

-- An answer's contents by their subject. The key begins with the atom's id, which is random: each
-- content of one subject is then on a leaf of its own, and a store that memory cannot hold reads
-- them all from disk. Here they lie together.
create index on memory.atom_content (subject_id, atom_id);

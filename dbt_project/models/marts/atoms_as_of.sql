{{ config(post_hook="{{ create_function_atoms_as_of() }}") }}

{{ periods_as_of(session_moment('memory.valid_at'), session_moment('memory.known_at')) }}

-- Nodes that run, by their own word: it reaches through a connection pooler and a coordinator, which sessions do not.
create table nodes (
  name     text collate "C" primary key,
  seen_at  timestamptz not null
) with (fillfactor = 50);

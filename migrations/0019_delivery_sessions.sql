-- The database session of the node that holds a lease: when it is gone, so is the node, and nobody waits for the lease to
-- end. Null where a node has none to show (behind a pooler): then the lease alone counts.
alter table delivery_leases
  add column session_pid    integer,
  add column session_start  timestamptz,
  add constraint delivery_leases_session_check check ((session_pid is null) = (session_start is null));

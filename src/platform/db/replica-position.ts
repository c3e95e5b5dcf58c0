import { onlyRow, sql, type Tx } from "./database.ts";

/** A place in the write-ahead log. Positions of different timelines can't be compared. */
export type Position = { readonly bytes: number; readonly timeline: number };

/**
 * Whether a replica has everything that was written up to a place. One of another timeline can be further and yet lack it: it
 * has followed another primary.
 */
export function reaches(replayed: Position | undefined, wanted: Position): boolean {
  return replayed !== undefined && replayed.timeline === wanted.timeline && replayed.bytes >= wanted.bytes;
}

/** A commit that was answered is flushed. */
const PRIMARY = sql(
  "replica_primary_position",
  `select pg_wal_lsn_diff(position, '0/0')::bigint as bytes,
     ('x' || left(pg_walfile_name(position), 8))::bit(32)::int as timeline
   from pg_current_wal_flush_lsn() as position`,
);

/**
 * Nothing on a server that is no replica. The control file names the timeline of the last restartpoint, and that of the last
 * page which was written: after a failover this one is current minutes earlier.
 */
const REPLICA = sql(
  "replica_position",
  `select pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint as bytes,
     greatest(timeline_id, min_recovery_end_timeline) as timeline
   from pg_control_checkpoint(), pg_control_recovery()
   where pg_is_in_recovery() and pg_last_wal_replay_lsn() is not null`,
);

export async function readPrimaryPosition(tx: Tx): Promise<Position> {
  return onlyRow(await tx.rows<Position>(PRIMARY, []));
}

export async function readReplicaPosition(tx: Tx): Promise<Position | undefined> {
  return (await tx.rows<Position>(REPLICA, []))[0];
}

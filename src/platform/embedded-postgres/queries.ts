import type { Client } from "pg";

/**
 * Two advisory locks record who uses the server: the gateway holds `gateway` alone, commands share `commands`. The kernel
 * closes the connection of a process that dies in any way, and PostgreSQL then releases its locks: none is ever stale.
 * The two-number form never collides with the one-number locks that migrations and jobs may take in the same database.
 */
const tidegate = 0x74_69_64_65; // "tide"
const gateway = [tidegate, 1];
const commands = [tidegate, 2];

/** Waits for a gateway that was killed or is stopping, up to the connection's `lock_timeout`. */
export async function lockForGateway(client: Client): Promise<void> {
  await client.query("select pg_advisory_lock($1, $2)", gateway);
}

/** Waits for a command that is ending the server as the last one: its end ends this connection too. */
export async function lockForCommand(client: Client): Promise<void> {
  await client.query("select pg_advisory_lock_shared($1, $2)", commands);
}

/** True while this connection holds the gateway's lock: a lock that it holds it can take once more. */
export async function isGateway(client: Client): Promise<boolean> {
  return tryLock(client, gateway);
}

/**
 * True when no other process uses the server; then none can start to use it before it is down. The shared lock goes
 * first: were two leaving commands to keep theirs, each would see the other and neither would be the last.
 */
export async function isLastUser(client: Client): Promise<boolean> {
  await client.query("select pg_advisory_unlock_shared($1, $2)", commands);
  return (await tryLock(client, commands)) && (await tryLock(client, gateway));
}

async function tryLock(client: Client, lock: readonly number[]): Promise<boolean> {
  const sql = 'select pg_try_advisory_lock($1, $2) as "isGained"';
  return (await client.query<{ isGained: boolean }>(sql, [...lock])).rows[0]?.isGained === true;
}

/** The application name of the gateway's connection; `objsubid = 2` marks the two-number form. */
export async function findGatewayName(client: Client): Promise<string | undefined> {
  const result = await client.query<{ name: string }>(
    `select activity.application_name as name
       from pg_locks as held join pg_stat_activity as activity using (pid)
      where held.locktype = 'advisory' and held.granted
        and held.classid::bigint = $1 and held.objid::bigint = $2 and held.objsubid = 2`,
    gateway,
  );
  return result.rows[0]?.name;
}

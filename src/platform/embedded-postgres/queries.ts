import type { Session } from "./session.ts";

export async function tryLockAlone(session: Session, family: number, which: number): Promise<boolean> {
  const row = await session.query("select pg_try_advisory_lock($1, $2) as gained", [family, which]);
  return row?.["gained"] === true;
}

export async function tryLockShared(session: Session, family: number, which: number): Promise<boolean> {
  const row = await session.query("select pg_try_advisory_lock_shared($1, $2) as gained", [family, which]);
  return row?.["gained"] === true;
}

export async function unlockShared(session: Session, family: number, which: number): Promise<void> {
  await session.query("select pg_advisory_unlock_shared($1, $2)", [family, which]);
}

/** The application name of whoever has the lock; `objsubid = 2` is PostgreSQL's mark of the two-number form. */
export async function findHolderName(
  session: Session,
  family: number,
  which: number,
): Promise<string | undefined> {
  const row = await session.query(
    `select activity.application_name as name
       from pg_locks as held join pg_stat_activity as activity using (pid)
      where held.locktype = 'advisory' and held.granted
        and held.classid::bigint = $1 and held.objid::bigint = $2 and held.objsubid = 2`,
    [family, which],
  );
  const name = row?.["name"];
  return typeof name === "string" ? name : undefined;
}

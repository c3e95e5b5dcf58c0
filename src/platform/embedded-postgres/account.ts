import { readFile, stat } from "node:fs/promises";
import { EmbeddedPostgresError, useYourOwn } from "./errors.ts";

/** The uid and gid that PostgreSQL runs under; undefined for our own. */
export type Account = { readonly uid: number; readonly gid: number } | undefined;

/**
 * PostgreSQL refuses to run as root. For root it runs as the user who owns the cluster (root may start what an ordinary
 * user made), else as the user `nobody`. An ordinary user runs it under its own account.
 */
export async function chooseAccount(data: string): Promise<Account> {
  if (process.getuid?.() !== 0) return undefined;
  if (process.platform !== "linux") throw cannotRunAsRoot(`on ${process.platform}`);
  const owner = await stat(data).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const shared = await findUnprivilegedUser();
  if (shared === undefined) throw cannotRunAsRoot('without a user "nobody" in /etc/passwd');
  return shared;
}

/** The user that programs share which need no rights. */
export async function findUnprivilegedUser(): Promise<Account> {
  const [, uid, gid] =
    /^nobody:[^:]*:([1-9]\d*):([1-9]\d*):/m.exec(await readFile("/etc/passwd", "utf8")) ?? [];
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

function cannotRunAsRoot(where: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `the embedded database does not run as root ${where}: start Tidegate as an ordinary user, or ${useYourOwn}`,
  );
}

import { chown, lstat, mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Account } from "./account.ts";
import type { Cluster } from "./cluster.ts";

/**
 * Where the server listens: on a Unix socket in a folder that only its account can enter. Without a folder it listens on
 * the loopback, as servers that an earlier Tidegate started do.
 */
export type Place = { readonly port: number; readonly folder: string | undefined };

/** A part of the socket's name only: no two servers share a folder. */
const PORT = 5432;

/** The system's limit for the path of a socket, which is lower on macOS. */
const LONGEST_PATH = process.platform === "darwin" ? 103 : 107;

const socketOf = (folder: string) => join(folder, `.s.PGSQL.${PORT}`);
const fits = (folder: string) => Buffer.byteLength(socketOf(folder)) <= LONGEST_PATH;

/** The data folder itself, or a short folder beside it where its path is too long; the one of the last server if it can. */
export async function choosePlace({ data, account }: Pick<Cluster, "data" | "account">): Promise<Place> {
  if (fits(data)) return { port: PORT, folder: data };
  const last = await lastFolder(data);
  if (last !== undefined && (await isPrivate(last, account))) return { port: PORT, folder: last };
  const parent = fits(join(tmpdir(), "tidegate-123456")) ? tmpdir() : "/tmp";
  const folder = await mkdtemp(join(parent, "tidegate-"));
  if (account !== undefined) await chown(folder, account.uid, account.gid);
  return { port: PORT, folder };
}

/** The server's own settings for that place. Its working folder is the data folder. */
export function placeSettings({ folder }: Place, data: string): readonly string[] {
  if (folder === undefined) return ["listen_addresses=127.0.0.1", "unix_socket_directories="];
  const directories = folder === data ? "." : folder;
  return ["listen_addresses=", `unix_socket_directories=${directories}`, "unix_socket_permissions=0700"];
}

/** From the lines of postmaster.pid. */
export function readPlace(lines: readonly string[], data: string): Place {
  const folder = lines[4]?.trim() ?? "";
  return { port: Number(lines[3]), folder: folder === "." ? data : folder || undefined };
}

export function placeUrl({ port, folder }: Place, password: string): string {
  const host = folder === undefined ? "127.0.0.1" : encodeURIComponent(folder);
  return `postgres://tidegate:${password}@${host}:${port}/tidegate`;
}

export function describePlace({ port, folder }: Place): string {
  return folder === undefined ? `port ${port}` : `socket in ${folder}`;
}

export function isSamePlace(one: Place, other: Place): boolean {
  return one.port === other.port && one.folder === other.folder;
}

/** PostgreSQL keeps one beside its socket. */
export function socketLock({ folder, port }: Place): string | undefined {
  return folder === undefined ? undefined : join(folder, `.s.PGSQL.${port}.lock`);
}

async function lastFolder(data: string): Promise<string | undefined> {
  const options = await readFile(join(data, "postmaster.opts"), "utf8").catch(() => "");
  return /"unix_socket_directories=(\/[^"]+)"/.exec(options)?.[1];
}

/** A folder for all may hold one that another user made under the same name. */
async function isPrivate(folder: string, account: Account): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  return (
    found?.isDirectory() === true &&
    found.uid === (account?.uid ?? process.getuid?.()) &&
    (found.mode & 0o077) === 0
  );
}

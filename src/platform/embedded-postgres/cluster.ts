import { randomBytes } from "node:crypto";
import { chmod, chown, mkdir, open, readFile, realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Binaries } from "./binaries.ts";
import { publishFolder, removeAbandoned } from "./publish-folder.ts";
import { type Account, reasonOf, runProgram } from "./run-program.ts";
import { codeOf, EmbeddedPostgresTrouble, messageOf, useYourOwn } from "./trouble.ts";

export type Cluster = {
  /** The operator's folder, as it is to be named to the operator. */
  readonly dataDir: string;
  readonly log: string;
  /** PostgreSQL's own data folder. */
  readonly data: string;
  readonly account: Account;
  readonly password: string;
};

/**
 * `<dataDir>/postgres` holds the password beside PostgreSQL's own folder, so that one rename publishes both: a
 * password can't belong to another cluster than the one it lies with.
 */
export const clusterPaths = (dataDir: string) => {
  const folder = join(dataDir, "postgres");
  return {
    folder,
    data: join(folder, "data"),
    password: join(folder, "password"),
    log: join(dataDir, "postgres.log"),
  };
};

/** Only a folder that we make gets our mode; one that the operator made keeps theirs. */
export async function readyDataDir(dataDir: string): Promise<string> {
  const folder = resolve(dataDir);
  try {
    await makeFolder(folder);
    return await realpath(folder);
  } catch (error) {
    const line = `TIDEGATE_DATA_DIR is no folder that can be used (${messageOf(error)}); allowed: a path`;
    throw new EmbeddedPostgresTrouble(line, { cause: error });
  }
}

/** With those above it. Node's own recursive way never ends below /proc, where nothing can be made. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === "EEXIST" && (await stat(folder)).isDirectory()) return;
    if (codeOf(error) !== "ENOENT" || (await isThere(dirname(folder)))) throw error;
    await makeFolder(dirname(folder));
    await makeFolder(folder);
  }
}

/** Opens the cluster of this data folder, and makes it first where there is none. */
export async function readyCluster(dataDir: string, binaries: Binaries, account: Account): Promise<Cluster> {
  const paths = clusterPaths(dataDir);
  await removeAbandoned(paths.folder);
  if (!(await isThere(paths.folder))) {
    await publishFolder(paths.folder, (temporary) => makeCluster(temporary, binaries, account));
  }
  await refuseStrangersCluster(paths.folder);
  const made = (await readOrUndefined(join(paths.data, "PG_VERSION")))?.trim();
  const password = await readOrUndefined(paths.password);
  if (made === undefined || password === undefined) {
    throw new EmbeddedPostgresTrouble(
      `${paths.folder} is not a whole database: restore it from a backup, set TIDEGATE_DATA_DIR to another folder, or ${useYourOwn}`,
    );
  }
  if (made !== binaries.major) {
    throw new EmbeddedPostgresTrouble(
      `${paths.folder} was made by PostgreSQL ${made} and this Tidegate brings PostgreSQL ${binaries.major}: start the Tidegate that made it, or move its data to a server of your own and set DATABASE_URL`,
    );
  }
  return { dataDir, log: paths.log, data: paths.data, account, password };
}

/**
 * What `-D` is told. Under another account PostgreSQL could not walk down to the data folder where a folder above it
 * is closed (root's home is), so it starts inside and calls it by a name that needs no walking: Node enters the folder
 * before it gives up root. Nothing above the data folder has to be opened for it.
 */
export function dataFolderArgument(account: Account, data: string): string {
  return account === undefined ? data : "/proc/self/cwd";
}

async function makeCluster(folder: string, binaries: Binaries, account: Account): Promise<void> {
  const data = join(folder, "data");
  const password = join(folder, "password");
  await mkdir(data, { mode: 0o700 });
  await writeDurably(password, randomBytes(32).toString("base64url"));
  if (account !== undefined) {
    // For as long as initdb has to read ../password; both are closed again below.
    await chmod(folder, 0o711);
    await chown(data, account.uid, account.gid);
    await chown(password, account.uid, account.gid);
  }
  const where = dataFolderArgument(account, data);
  const initdb = await runProgram(
    binaries.initdb,
    [
      ...["-D", where, "--pwfile=../password", "--username=tidegate", "--auth=scram-sha-256"],
      ...["--encoding=UTF8", "--locale=C", "--data-checksums", "--no-instructions"],
    ],
    { account, folder: data },
  );
  if (initdb.kind !== "ended" || !initdb.ok) throw cannotMake(reasonOf(initdb));
  // In single-user mode, before anyone can see the cluster: there is never one without the database.
  const single = await runProgram(
    binaries.postgres,
    ["--single", "-D", where, "-c", "exit_on_error=on", "-c", "log_checkpoints=off", "postgres"],
    { account, folder: data, input: "CREATE DATABASE tidegate\n" },
  );
  if (single.kind !== "ended" || !single.ok) throw cannotMake(reasonOf(single));
  if (account !== undefined) {
    await chown(password, 0, 0);
    await chmod(folder, 0o700);
  }
}

function cannotMake(reason: string): EmbeddedPostgresTrouble {
  return new EmbeddedPostgresTrouble(
    `the embedded database could not be made (${reason}): mend that, or ${useYourOwn}`,
  );
}

async function refuseStrangersCluster(folder: string): Promise<void> {
  const us = process.getuid?.();
  const owner = (await stat(folder)).uid;
  if (us === 0 || us === owner) return;
  throw new EmbeddedPostgresTrouble(
    `${folder} belongs to another user (uid ${owner}, we are ${us}): start Tidegate as that user, or set TIDEGATE_DATA_DIR to another folder`,
  );
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === "ENOENT") return false;
      throw error;
    },
  );
}

async function readOrUndefined(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
}

async function writeDurably(path: string, text: string): Promise<void> {
  const handle = await open(path, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

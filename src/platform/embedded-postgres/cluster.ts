import { randomBytes } from "node:crypto";
import { chmod, chown, mkdir, readFile, realpath, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Account } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { codeOf, EmbeddedPostgresError, messageOf, useYourOwn } from "./errors.ts";
import { publishFolder } from "./publish-folder.ts";
import { reasonOf, runProgram } from "./run-program.ts";

export type Cluster = {
  /** The operator's folder, for messages. */
  readonly dataDir: string;
  readonly log: string;
  /** PostgreSQL's own data folder. */
  readonly data: string;
  readonly password: string;
  readonly account: Account;
  /** The server's program. */
  readonly postgres: string;
  /** They win over the usual ones. */
  readonly serverSettings: readonly string[];
};

/** The password lies beside PostgreSQL's own folder: one rename publishes both, so they always belong together. */
export const clusterPaths = (dataDir: string) => {
  const folder = join(dataDir, "postgres");
  return { folder, data: join(folder, "data"), password: join(folder, "password") };
};

/** Whether a start has made a cluster in this data folder. */
export async function hasCluster(dataDir: string): Promise<boolean> {
  return stat(clusterPaths(dataDir).folder).then(
    () => true,
    // A folder that may not be searched holds one, as far as we know: opening it names the reason.
    (error: unknown) => codeOf(error) !== "ENOENT",
  );
}

/** A folder made here is closed to others; one that the operator made keeps its mode. */
export async function makeDataDir(dataDir: string): Promise<string> {
  const folder = resolve(dataDir);
  try {
    await makeFolder(folder);
    return await realpath(folder);
  } catch (error) {
    const line = `TIDEGATE_DATA_DIR is no folder that can be used (${messageOf(error)}); allowed: a path`;
    throw new EmbeddedPostgresError(line, { cause: error });
  }
}

/** Makes its parents too. Node's own recursive mkdir never returns below /proc, where nothing can be made. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === "EEXIST" && (await stat(folder)).isDirectory()) return;
    const parent = dirname(folder);
    const hasParent = await stat(parent).then(Boolean, () => false);
    if (codeOf(error) !== "ENOENT" || hasParent) throw error;
    await makeFolder(parent);
    await makeFolder(folder);
  }
}

/** Returns the cluster of this data folder, and makes it first where there is none. */
export async function openCluster(
  dataDir: string,
  binaries: Binaries,
  account: Account,
  serverSettings: readonly string[] = [],
): Promise<Cluster> {
  const { folder, data, password: passwordFile } = clusterPaths(dataDir);
  await publishFolder(folder, (temporary) => makeCluster(temporary, binaries, account));
  const us = process.getuid?.();
  const owner = (await stat(folder)).uid;
  if (us !== 0 && us !== owner) {
    throw new EmbeddedPostgresError(
      `${folder} belongs to another user (uid ${owner}, we are ${us}): start Tidegate as that user, or set TIDEGATE_DATA_DIR to another folder`,
    );
  }
  const files = [join(data, "PG_VERSION"), passwordFile].map((file) => readFile(file, "utf8"));
  const [version = "", password = ""] = await Promise.all(files).catch((error: unknown) => {
    const line = `${folder} is not a complete database: restore it from a backup, set TIDEGATE_DATA_DIR to another folder, or ${useYourOwn}`;
    throw new EmbeddedPostgresError(line, { cause: error });
  });
  if (version.trim() !== binaries.major) {
    throw new EmbeddedPostgresError(
      `${folder} was made by PostgreSQL ${version.trim()} and this Tidegate brings PostgreSQL ${binaries.major}: start the Tidegate that made it, or move its data to a server of your own and set DATABASE_URL`,
    );
  }
  return {
    dataDir,
    log: join(dataDir, "postgres.log"),
    data,
    password,
    account,
    postgres: binaries.postgres,
    serverSettings,
  };
}

/**
 * The value of `-D`. Another account can't walk down to the data folder where a folder above it is closed, as root's
 * home is. Node enters the data folder before it gives up root, and PostgreSQL then needs no walk to name it.
 */
export function dataFolderArgument(account: Account, data: string): string {
  return account === undefined ? data : "/proc/self/cwd";
}

async function makeCluster(folder: string, binaries: Binaries, account: Account): Promise<void> {
  const data = join(folder, "data");
  const password = join(folder, "password");
  await mkdir(data, { mode: 0o700 });
  await writeFile(password, randomBytes(32).toString("base64url"), { mode: 0o600, flush: true });
  if (account !== undefined) {
    // While initdb reads ../password; both are closed again below.
    await chmod(folder, 0o711);
    await chown(data, account.uid, account.gid);
    await chown(password, account.uid, account.gid);
  }
  const where = dataFolderArgument(account, data);
  const options = { account, folder: data };
  const initdb = [
    ...["-D", where, "--pwfile=../password", "--username=tidegate", "--auth=scram-sha-256"],
    ...["--encoding=UTF8", "--locale=C", "--data-checksums", "--no-instructions"],
    // The password is 256 random bits, so it cannot be guessed: more rounds would only cost 8 ms with every connection.
    ...["-c", "scram_iterations=1"],
  ];
  const single = ["--single", "-D", where, "-c", "exit_on_error=on", "-c", "log_checkpoints=off", "postgres"];
  try {
    await runProgram(binaries.initdb, initdb, options);
    // In single-user mode, before the cluster is published: no start ever finds one without the database.
    await runProgram(binaries.postgres, single, { ...options, input: "CREATE DATABASE tidegate\n" });
  } catch (error) {
    const line = `the embedded database could not be made (${reasonOf(error)}): fix that, or ${useYourOwn}`;
    throw new EmbeddedPostgresError(line, { cause: error });
  }
  if (account !== undefined) {
    await chown(password, 0, 0);
    await chmod(folder, 0o700);
  }
}

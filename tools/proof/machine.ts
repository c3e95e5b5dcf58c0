import { execFileSync } from "node:child_process";
import { availableParallelism, cpus, totalmem } from "node:os";
import pg from "pg";

export type Machine = {
  readonly cores: number;
  readonly memoryGb: number;
  readonly cpu: string;
  readonly node: string;
  readonly postgres: string;
  /** With `and changes` if the checkout differs from it. */
  readonly commit: string;
};

export async function readMachine(databaseUrl: string): Promise<Machine> {
  return {
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    node: process.versions.node,
    postgres: await readVersion(databaseUrl),
    commit: readCommit(),
  };
}

async function readVersion(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ server_version: string }>("show server_version");
    return rows[0]?.server_version ?? "unknown";
  } finally {
    await client.end();
  }
}

/** What the run before has written. */
const RECORDS = "docs/generated";

function readCommit(): string {
  try {
    const git = (...words: readonly string[]) => execFileSync("git", words, { encoding: "utf8" }).trim();
    const changes = git("status", "--porcelain", "--untracked-files=no", "--", ".", `:!${RECORDS}`);
    return `${git("rev-parse", "--short=12", "HEAD")}${changes === "" ? "" : " and changes"}`;
  } catch {
    return "unknown (no git checkout)";
  }
}

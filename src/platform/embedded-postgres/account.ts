import { readFile, stat } from "node:fs/promises";
import type { Account } from "./run-program.ts";
import { codeOf, EmbeddedPostgresTrouble, useYourOwn } from "./trouble.ts";

/**
 * PostgreSQL refuses to run as root. For root it runs under the account that owns the cluster already (one that an
 * ordinary user made and root now starts keeps its owner), else under `nobody`. Everyone else runs it as themselves.
 */
export async function chooseAccount(data: string): Promise<Account> {
  if (process.getuid?.() !== 0) return undefined;
  if (process.platform !== "linux") {
    throw new EmbeddedPostgresTrouble(
      `the embedded database does not run as root on ${process.platform}: start Tidegate as an ordinary user, or ${useYourOwn}`,
    );
  }
  const owner = await stat(data).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  return owner === undefined || owner.uid === 0 ? nobody() : { uid: owner.uid, gid: owner.gid };
}

async function nobody(): Promise<Account> {
  const accounts = await readFile("/etc/passwd", "utf8");
  for (const line of accounts.split("\n")) {
    const [name, , uid, gid] = line.split(":");
    if (name === "nobody" && Number(uid) > 0 && Number(gid) > 0)
      return { uid: Number(uid), gid: Number(gid) };
  }
  throw new EmbeddedPostgresTrouble(
    `PostgreSQL does not run as root and /etc/passwd has no user "nobody" to run it as: start Tidegate as an ordinary user, or ${useYourOwn}`,
  );
}

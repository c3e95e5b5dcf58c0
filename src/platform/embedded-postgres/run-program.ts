import { spawn } from "node:child_process";

/** The uid and gid a program runs under; undefined means our own. */
export type Account = { readonly uid: number; readonly gid: number } | undefined;

/**
 * All that PostgreSQL gets to see of our environment. The gateway's own holds secrets, and on a shared account
 * `/proc/<pid>/environ` shows them to others; variables such as PGDATA or LD_PRELOAD have no business here either.
 */
export const programEnvironment: Readonly<Record<string, string>> = {
  PATH: "/usr/bin:/bin:/usr/sbin:/sbin",
  LC_ALL: "C",
  TZ: "UTC",
};

/** Node's spawn refuses `uid: undefined` under exactOptionalPropertyTypes, and needs neither for our own account. */
export function spawnIdentity(account: Account): { uid?: number; gid?: number } {
  return account === undefined ? {} : { uid: account.uid, gid: account.gid };
}

export type ProgramResult =
  | { readonly kind: "ended"; readonly ok: boolean; readonly output: string; readonly complaint: string }
  | { readonly kind: "not started"; readonly error: NodeJS.ErrnoException };

/** Runs a program that ends by itself and keeps what it said. */
export function runProgram(
  program: string,
  args: readonly string[],
  options: { readonly account: Account; readonly folder?: string; readonly input?: string },
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: options.folder ?? "/",
      env: programEnvironment,
      stdio: ["pipe", "pipe", "pipe"],
      ...spawnIdentity(options.account),
    });
    let output = "";
    let complaint = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      complaint += text;
    });
    // A program that dies before it reads its input is reported by its exit, not by our broken pipe.
    child.stdin.on("error", () => {});
    child.stdin.end(options.input ?? "");
    child.on("error", (error) => resolve({ kind: "not started", error }));
    child.on("close", (status) => resolve({ kind: "ended", ok: status === 0, output, complaint }));
  });
}

/** The line of a failed run worth showing: the first that speaks of an error, else the last one. */
export function reasonOf(result: ProgramResult): string {
  if (result.kind === "not started") return result.error.message;
  const lines = result.complaint.split("\n").filter((line) => line.trim() !== "");
  return (lines.find((line) => /error|fatal|panic/i.test(line)) ?? lines.at(-1) ?? "no reason given").trim();
}

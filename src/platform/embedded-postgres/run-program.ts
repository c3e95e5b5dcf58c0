import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Account } from "./account.ts";
import { messageOf } from "./errors.ts";

/**
 * The only environment that PostgreSQL gets. The gateway's own holds secrets, which `/proc/<pid>/environ` would show to
 * other processes of the account, and variables such as PGDATA or LD_PRELOAD must not reach PostgreSQL.
 */
export const programEnvironment: Readonly<Record<string, string>> = {
  PATH: "/usr/bin:/bin:/usr/sbin:/sbin",
  LC_ALL: "C",
  TZ: "UTC",
};

/** Runs a program to its end and returns its output. Rejects when it fails: `reasonOf` reads the error. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: { readonly account?: Account; readonly folder?: string; readonly input?: string },
): Promise<string> {
  const running = promisify(execFile)(program, args, {
    cwd: options.folder ?? "/",
    env: programEnvironment,
    ...options.account,
  });
  // The exit of a program that dies before it reads its input is the error to report, not our broken pipe.
  running.child.stdin?.on("error", () => {}).end(options.input ?? "");
  return (await running).stdout;
}

/** The line of a failed run worth showing: the first one about an error, else the last one. */
export function reasonOf(error: unknown): string {
  const output = error instanceof Error && "stderr" in error ? String(error.stderr) : "";
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  return (lines.find((line) => /error|fatal|panic/i.test(line)) ?? lines.at(-1) ?? messageOf(error)).trim();
}

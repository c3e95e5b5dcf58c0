import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { TEST_VAULT_KEY } from "./calls.ts";
import type { TestDatabase } from "./database.ts";

export const CLI =
  process.env["TIDEGATE_TEST_CLI"] ?? fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));

export type CommandRun = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

export type RunningCommand = {
  readonly ended: Promise<CommandRun>;
  /** The progress that it has printed so far. */
  readonly stderr: () => string;
  readonly stdout: () => string;
  /** Ctrl-C. */
  readonly interrupt: () => void;
  /** `kill -9`. */
  readonly kill: () => void;
};

/**
 * The minimal environment; the shared compile cache saves start-up time. Without a home, no command finds or changes the
 * vault key of the user who runs the tests.
 */
function minimalEnvironment(): Record<string, string | undefined> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE, HOME: "/nonexistent" };
}

/** Starts an operator command in a separate process. */
export function startCommand(
  database: TestDatabase,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = { TIDEGATE_VAULT_KEY: TEST_VAULT_KEY },
): RunningCommand {
  const child = spawn(process.execPath, [CLI, ...words], {
    env: { ...minimalEnvironment(), DATABASE_URL: database.url, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<CommandRun>((resolve) => {
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
  return {
    ended,
    stderr: () => stderr,
    stdout: () => stdout,
    interrupt: () => child.kill("SIGINT"),
    kill: () => child.kill("SIGKILL"),
  };
}

/** Runs a command to its end. */
export function runCommand(...parameters: Parameters<typeof startCommand>): Promise<CommandRun> {
  return startCommand(...parameters).ended;
}

import { type ChildProcess, spawn } from "node:child_process";
import { openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Calls, callsTo, TEST_KEY, TEST_VAULT_KEY } from "./calls.ts";
import { eventually } from "./eventually.ts";
import { freePort } from "./free-port.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/** A gateway in a separate process, for what only a process can show: signals, exit codes, logs, `kill -9`. */
export type SpawnedGateway = Calls & {
  readonly pid: number;
  readonly baseUrl: string;
  readonly hostedUrl: string;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly signal: (name: NodeJS.Signals) => void;
  readonly exit: Promise<Exit>;
  readonly hasEnded: () => boolean;
  /** `kill -9`, and waits for the end. */
  readonly kill: () => Promise<void>;
};

export type SpawnOptions = {
  readonly environment?: Readonly<Record<string, string>>;
  /** False: returns at once; the test waits for what it expects. */
  readonly untilReady?: boolean;
  /** Writes the log to this file instead. */
  readonly logFile?: string;
  /** Starts it with `npm start` instead of node. */
  readonly byNpm?: boolean;
  /** Another checkout, such as the last release. */
  readonly folder?: string;
};

export async function spawnGateway({
  environment = {},
  untilReady = true,
  logFile,
  byNpm = false,
  folder = ROOT,
}: SpawnOptions = {}): Promise<SpawnedGateway> {
  const [apiPort, hostedPort] = await Promise.all([freePort(), freePort()]);
  const settings: Record<string, string> = {
    TIDEGATE_API_PORT: String(apiPort),
    TIDEGATE_HOSTED_PORT: String(hostedPort),
    TIDEGATE_SANDBOX_API_KEY: TEST_KEY,
    TIDEGATE_VAULT_KEY: TEST_VAULT_KEY,
    TIDEGATE_DATABASE_POOL_SIZE: "8",
    ...environment,
  };
  const [program, ...words] = byNpm ? ["npm", "start"] : [process.execPath, "src/app/main.ts"];
  const child = spawn(program, words, {
    cwd: folder,
    // A separate process group, so that npm's children can be killed with it.
    detached: byNpm,
    env: { ...bareEnvironment(), ...settings },
    stdio: ["ignore", "pipe", logFile === undefined ? "pipe" : openSync(logFile, "w")],
  });
  const stdout = collect(child, "stdout");
  const stderr = collect(child, "stderr");
  let ended = false;
  const exit = new Promise<Exit>((resolve) => {
    child.on("close", (code, signal) => {
      ended = true;
      resolve({ code, signal });
    });
  });
  const baseUrl = `http://localhost:${settings["TIDEGATE_API_PORT"]}`;
  const gateway: SpawnedGateway = {
    ...callsTo(baseUrl),
    pid: child.pid ?? 0,
    baseUrl,
    hostedUrl: `http://localhost:${settings["TIDEGATE_HOSTED_PORT"]}`,
    stdout,
    stderr,
    signal: (name) => child.kill(name),
    exit,
    hasEnded: () => ended,
    kill: async () => {
      if (byNpm && !ended && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      else child.kill("SIGKILL");
      await exit;
    },
  };
  if (untilReady) {
    await eventually("the gateway reports that it is ready", async () => isReady(gateway), 120_000);
  }
  return gateway;
}

/** The environment without the tester's own settings. */
function bareEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(TIDEGATE_|PG|NODE_TEST|NODE_OPTIONS$|DATABASE_URL$)/.test(name),
    ),
  );
}

function isReady(gateway: SpawnedGateway): boolean {
  if (gateway.hasEnded()) throw new Error(`the gateway exited early: ${gateway.stderr()}`);
  return gateway.stdout().includes("Tidegate is ready");
}

function collect(child: ChildProcess, stream: "stdout" | "stderr"): () => string {
  const chunks: Buffer[] = [];
  child[stream]?.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString("utf8");
}

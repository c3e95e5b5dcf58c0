import { fork } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TEST_VAULT_KEY } from "./calls.ts";
import type { Shop } from "./checkout.ts";
import type { TestDatabase } from "./database.ts";
import { eventually } from "./eventually.ts";
import { freePort } from "./free-port.ts";
import { TEST_KEY } from "./gateway.ts";
import type { Point } from "./watched-context.ts";

const PROGRAM = new URL("./crashing-gateway.ts", import.meta.url);

export type GatewayProcess = {
  readonly shop: Shop;
  /** Waits until the process has exited; it must be crashing already. */
  readonly untilGone: () => Promise<unknown>;
  readonly kill: () => Promise<unknown>;
  /** Frees the memory that the gateway has dropped. */
  readonly collectGarbage: () => Promise<unknown>;
  /** The log so far. */
  readonly log: () => string;
  /** The points that it has passed so far, if it reports them (`REPORT_POINTS`). */
  readonly points: ReadonlySet<Point>;
  readonly hasEnded: () => boolean;
  /** The point at which it killed itself, once it has ended. */
  readonly crashedAt: () => Point | undefined;
};

/**
 * Starts a gateway in a separate process, on an existing database; `crashAt` names one point or several, with a space between.
 * Another process may take a port between its probe and the start: then other ports are tried.
 */
export async function startGatewayProcess(
  database: TestDatabase,
  crashAt?: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<GatewayProcess> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await startOnce(database, crashAt, environment);
    } catch (error) {
      if (tries === 3 || !String(error).includes("which another program listens on")) throw error;
    }
  }
}

async function startOnce(
  database: TestDatabase,
  crashAt: string | undefined,
  environment: Readonly<Record<string, string>>,
): Promise<GatewayProcess> {
  const [apiPort, hostedPort] = await Promise.all([freePort(), freePort()]);
  const child = fork(process.env["TIDEGATE_TEST_GATEWAY"] ?? PROGRAM, [], {
    execArgv: [],
    stdio: ["ignore", "inherit", "pipe", "ipc"],
    env: {
      DATABASE_URL: database.url,
      TIDEGATE_API_PORT: String(apiPort),
      TIDEGATE_HOSTED_PORT: String(hostedPort),
      TIDEGATE_SANDBOX_API_KEY: TEST_KEY,
      TIDEGATE_VAULT_KEY: TEST_VAULT_KEY,
      TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: "0",
      TIDEGATE_LOG_LEVEL: "error",
      TIDEGATE_DATABASE_POOL_SIZE: "8",
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? join(tmpdir(), "tidegate-test-code"),
      ...(crashAt === undefined ? {} : { CRASH_AT: crashAt }),
      ...environment,
    },
  });
  let log = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  const points = new Set<Point>();
  const isReady = Promise.withResolvers<true>();
  child.on("message", (message) => {
    if (message === "ready") isReady.resolve(true);
    else if (typeof message === "object") points.add((message as { point: Point }).point);
  });
  let ended = false;
  // With its log complete, unlike on "exit".
  const gone = once(child, "close").then(() => {
    ended = true;
  });
  const ready = await Promise.race([isReady.promise, gone.then(() => false)]);
  // Pending work can reach the crash point during recovery, before the gateway reports that it is ready.
  const crashed = crashAt !== undefined && child.signalCode === "SIGKILL";
  if (!ready && !crashed) throw new Error(`the gateway exited before it was ready: ${log}`);
  return {
    shop: {
      baseUrl: `http://localhost:${apiPort}`,
      hostedUrl: `http://localhost:${hostedPort}`,
      key: TEST_KEY,
    },
    untilGone: () => eventually(`the gateway has exited; its log: ${log}`, async () => ended),
    kill: () => {
      child.kill("SIGKILL");
      return gone;
    },
    collectGarbage: () => {
      const collected = once(child, "message");
      child.send("collect");
      return collected;
    },
    log: () => log,
    points,
    hasEnded: () => ended,
    crashedAt: () => (ended ? (/^crashed at (\S+)$/m.exec(log)?.[1] as Point | undefined) : undefined),
  };
}

/**
 * Brings every job's due time one minute closer, or that of one merchant's jobs. It holds many rows, so a deadlock with the
 * gateway's work is part of it.
 */
export async function aMinutePasses(database: TestDatabase, merchantId?: string): Promise<void> {
  await eventually("the jobs are brought forward", async () => {
    try {
      await database.rows(
        "update jobs set due_at = due_at - interval '60 seconds' where merchant_id = coalesce($1, merchant_id)",
        [merchantId ?? null],
      );
      return true;
    } catch (error) {
      if ((error as { code?: string }).code === "40P01") return false;
      throw error;
    }
  });
}

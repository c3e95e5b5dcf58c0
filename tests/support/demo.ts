import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { TEST_VAULT_KEY } from "./calls.ts";
import type { TestDatabase } from "./database.ts";
import { eventually } from "./eventually.ts";
import { freePort } from "./free-port.ts";
import { TEST_KEY } from "./gateway.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export type Demo = {
  readonly shopUrl: string;
  readonly baseUrl: string;
  readonly hostedUrl: string;
  readonly output: () => string;
  /** Sends Ctrl-C and returns the exit code. */
  readonly interrupt: () => Promise<number | null>;
};

type DemoOptions = { readonly database?: TestDatabase; readonly patienceMs?: number };

/** Starts `npm run demo` in its own folder (and on its own database). */
export async function startDemo(dataDir: string, options: DemoOptions = {}): Promise<Demo> {
  const { database, patienceMs = 60_000 } = options;
  const [apiPort, hostedPort, shopPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const child = spawn(process.execPath, ["tools/demo.ts"], {
    cwd: ROOT,
    env: {
      PATH: process.env["PATH"],
      ...(database === undefined ? {} : { DATABASE_URL: database.url }),
      TIDEGATE_DATA_DIR: dataDir,
      TIDEGATE_API_PORT: String(apiPort),
      TIDEGATE_HOSTED_PORT: String(hostedPort),
      TIDEGATE_SANDBOX_API_KEY: TEST_KEY,
      TIDEGATE_VAULT_KEY: TEST_VAULT_KEY,
      TIDEGATE_DATABASE_POOL_SIZE: "8",
      // No settlement runs on its own while a test checks what is pending.
      TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: "3600",
      SHOP_PORT: String(shopPort),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  try {
    await eventually(
      "the demo is ready",
      async () => {
        if (child.exitCode !== null) throw new Error(`the demo exited early: ${output}`);
        return output.includes("The demo is ready");
      },
      patienceMs,
    );
  } catch (error) {
    child.kill("SIGTERM");
    throw error;
  }
  return {
    shopUrl: `http://localhost:${shopPort}`,
    baseUrl: `http://localhost:${apiPort}`,
    hostedUrl: `http://localhost:${hostedPort}`,
    output: () => output,
    interrupt: () => {
      child.kill("SIGINT");
      return ended;
    },
  };
}

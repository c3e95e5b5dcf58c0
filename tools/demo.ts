/**
 * Runs the gateway and the example shop together, in the sandbox.
 *
 *   npm run demo
 *
 * Data is kept in `.tidegate/demo`. The gateway's settings apply, and `SHOP_PORT` is the shop's port; if a default port is
 * in use, a free one replaces it. Ctrl-C stops both.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { ensureClientBuilt } from "./build-client.ts";

const root = join(import.meta.dirname, "..");
const shopFolder = join(root, "examples/shop");

type Environment = Readonly<Record<string, string>>;

async function main(): Promise<number> {
  const stopping = firstSignal();
  installClient();
  const dataDir = process.env["TIDEGATE_DATA_DIR"] ?? join(root, ".tidegate/demo");
  mkdirSync(dataDir, { recursive: true });
  const apiPort = await portFor("TIDEGATE_API_PORT", 4000);
  const hostedPort = await portFor("TIDEGATE_HOSTED_PORT", 4001);
  const shopPort = await portFor("SHOP_PORT", 4002);
  const apiKey = process.env["TIDEGATE_SANDBOX_API_KEY"] ?? savedKey(join(dataDir, "api.key"));
  const [apiUrl, hostedUrl, shopUrl] = [apiPort, hostedPort, shopPort].map(
    (port) => `http://localhost:${port}`,
  ) as [string, string, string];

  console.log("Starting the gateway …");
  const gateway = start("src/app/main.ts", root, {
    TIDEGATE_LOG_LEVEL: "warn",
    TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: "5",
    ...settings("TIDEGATE_"),
    TIDEGATE_DATA_DIR: dataDir,
    TIDEGATE_API_PORT: String(apiPort),
    TIDEGATE_HOSTED_PORT: String(hostedPort),
    TIDEGATE_SANDBOX_API_KEY: apiKey,
  });
  const running = [gateway];
  try {
    const output = await outputUntil(gateway, "Tidegate is ready", stopping);
    if (output === undefined) return await end(running, gateway);
    console.log("Opening the shop …");
    const shop = start("main.ts", shopFolder, {
      TIDEGATE_API_KEY: apiKey,
      TIDEGATE_URL: apiUrl,
      TIDEGATE_HOSTED_URL: hostedUrl,
      SHOP_PORT: String(shopPort),
      SHOP_STATE_FILE: join(dataDir, "shop.json"),
      ...settings("SHOP_"),
    });
    running.push(shop);
    if ((await outputUntil(shop, "The shop is open", stopping)) === undefined)
      return await end(running, shop);
    console.log(`
  The demo is ready. Start here; one page links to every way to pay:

    ${shopUrl}/tour

  API reference ${apiUrl}/docs, dashboard ${apiUrl}/dashboard. Ctrl-C stops both.
`);
    // The output of a first start, such as the link to the dashboard.
    if (output.trim() !== "") console.log(output);
    await Promise.race([stopping, gone(gateway), gone(shop)]);
    return await end(running, gateway.exitCode !== null ? gateway : shop);
  } finally {
    for (const child of running) child.kill("SIGKILL");
  }
}

/** Does what `npm install` does in the shop's folder, without a registry: its only dependency is in this checkout. */
function installClient(): void {
  ensureClientBuilt();
  const folder = join(shopFolder, "node_modules/@tidegate");
  if (existsSync(join(folder, "client"))) return;
  mkdirSync(folder, { recursive: true });
  symlinkSync(join(root, "packages/client"), join(folder, "client"), "junction");
}

/** The key of the demo's merchant: created once, kept with its data, never printed. */
function savedKey(file: string): string {
  if (!existsSync(file)) writeFileSync(file, `demo_${randomBytes(24).toString("hex")}`, { mode: 0o600 });
  return readFileSync(file, "utf8").trim();
}

function settings(prefix: string): Environment {
  const set = Object.entries(process.env).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(set.map(([name, value]) => [name, value ?? ""]));
}

async function portFor(setting: string, usual: number): Promise<number> {
  const set = process.env[setting];
  if (set !== undefined) return Number(set);
  return (await probePort(usual)) ?? (await probePort(0)) ?? usual;
}

/** The port, if it is free. */
function probePort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.on("error", () => resolve(undefined));
    probe.listen(port, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" ? address?.port : undefined));
    });
  });
}

function start(program: string, cwd: string, environment: Environment): ChildProcess {
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, [program], { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  return child;
}

/** Waits until a program prints `text`; returns the output before it. Undefined: it exited or was stopped first. */
function outputUntil(
  child: ChildProcess,
  text: string,
  stopping: Promise<unknown>,
): Promise<string | undefined> {
  const printed = new Promise<string>((resolve) => {
    let output = "";
    child.stdout?.setEncoding("utf8").on("data", (piece: string) => {
      output += piece;
      if (output.includes(text)) resolve(output.slice(0, output.indexOf(text)));
    });
  });
  return Promise.race([printed, gone(child).then(() => undefined), stopping.then(() => undefined)]);
}

function gone(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once("exit", () => resolve()));
}

/** Stops the shop first, because it calls the gateway. Returns the exit code of the one that failed. */
async function end(running: readonly ChildProcess[], watched: ChildProcess): Promise<number> {
  const failed = watched.exitCode;
  for (const child of running.toReversed()) {
    child.kill("SIGTERM");
    await gone(child);
  }
  return failed ?? 0;
}

function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => resolve());
  });
}

process.exitCode = await main();

/**
 * Gateway and example shop together, on this machine, in the sandbox.
 *
 *   npm run demo
 *
 * Data stays in `.tidegate/demo`. Every setting of the gateway holds here, too, and `SHOP_PORT` is the shop's; ports that
 * are not set and are taken are replaced by free ones. Ctrl-C ends both.
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
  const apiKey = process.env["TIDEGATE_SANDBOX_API_KEY"] ?? keptKey(join(dataDir, "api.key"));
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
    const said = await says(gateway, "Tidegate is ready", stopping);
    if (said === undefined) return await end(running, gateway);
    console.log("Opening the shop …");
    const shop = start("main.ts", shopFolder, {
      TIDEGATE_KEY: apiKey,
      TIDEGATE_URL: apiUrl,
      TIDEGATE_HOSTED_URL: hostedUrl,
      SHOP_PORT: String(shopPort),
      SHOP_STATE_FILE: join(dataDir, "shop.json"),
      ...settings("SHOP_"),
    });
    running.push(shop);
    if ((await says(shop, "The shop is open", stopping)) === undefined) return await end(running, shop);
    console.log(`
  The demo is ready. Start here, every way to pay is on one page:

    ${shopUrl}/tour

  API reference ${apiUrl}/docs, dashboard ${apiUrl}/dashboard. Ctrl-C ends both.
`);
    // What a first start has to say, such as the link to the dashboard.
    if (said.trim() !== "") console.log(said);
    await Promise.race([stopping, gone(gateway), gone(shop)]);
    return await end(running, gateway.exitCode !== null ? gateway : shop);
  } finally {
    for (const child of running) child.kill("SIGKILL");
  }
}

/** What `npm install` does in the shop's folder, without a registry: its one dependency is this checkout's. */
function installClient(): void {
  ensureClientBuilt();
  const folder = join(shopFolder, "node_modules/@tidegate");
  if (existsSync(join(folder, "client"))) return;
  mkdirSync(folder, { recursive: true });
  symlinkSync(join(root, "packages/client"), join(folder, "client"), "junction");
}

/** The key of the demo's merchant: made once, kept beside its data, shown to nobody. */
function keptKey(file: string): string {
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
  return (await listenTo(usual)) ?? (await listenTo(0)) ?? usual;
}

/** The port, if it is free. */
function listenTo(port: number): Promise<number | undefined> {
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

/** Waits until a program has said this; gives what it said before. Undefined: it ended, or was told to, before it did. */
function says(child: ChildProcess, words: string, stopping: Promise<unknown>): Promise<string | undefined> {
  const said = new Promise<string>((resolve) => {
    let text = "";
    child.stdout?.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
      if (text.includes(words)) resolve(text.slice(0, text.indexOf(words)));
    });
  });
  return Promise.race([said, gone(child).then(() => undefined), stopping.then(() => undefined)]);
}

function gone(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once("exit", () => resolve()));
}

/** The shop closes first, so that the gateway has nobody left to answer. Gives the exit code of the one that failed. */
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

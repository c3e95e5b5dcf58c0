import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MEDUSA, medusaShop, prepareMedusa, writeAsCommonJs } from "../../tests/interop/start-medusa.ts";
import type { BenchServer } from "../stage/database.ts";
import { freePort, startGatewayProgram } from "../stage/gateway.ts";
import { startProgram } from "../stage/program.ts";
import type { FlowName, Ports } from "./flows.ts";
import { bytesIn, bytesOfGateway, type Installed, installPeer } from "./install.ts";

export type Running = Ports & { readonly pid: number };

/** One of the compared programs. */
export type Peer = {
  readonly flow: FlowName;
  readonly name: string;
  /** Where a payment is after the answer. */
  readonly keeps: "on disk" | "in memory" | "nothing";
  readonly bytes: number;
  /** Starts it as its users do; it may not be ready yet. */
  readonly start: (stage: AsyncDisposableStack) => Promise<Running>;
};

export type Absent = { readonly name: string; readonly obstacle: string };

type Surroundings = {
  readonly stage: AsyncDisposableStack;
  readonly server: BenchServer;
  readonly report: (line: string) => void;
};

/** Ours first. Those that cannot be installed are named. */
export async function findPeers(surroundings: Surroundings): Promise<readonly (Peer | Absent)[]> {
  const { stage, server, report } = surroundings;
  const databaseUrl = await server.newDatabase("ours");
  const ours: Peer = {
    flow: "tidegate",
    name: "tidegate",
    keeps: "on disk",
    bytes: await bytesOfGateway(),
    start: (own) => startGatewayProgram(own, databaseUrl, {}),
  };
  report("installing what is not installed yet: emulate, stripe-stateful-mock, Prism, Medusa");
  return [
    ours,
    await fromNpm("emulate", "0.12.2", { flow: "emulate", keeps: "in memory" }, (folder, port) => ({
      file: join(folder, "node_modules/emulate/dist/index.js"),
      parameters: ["start", "--service", "stripe", "--port", String(port)],
    })),
    await fromNpm(
      "stripe-stateful-mock",
      "0.0.16",
      { flow: "stripe-stateful-mock", keeps: "in memory" },
      (folder, port) => ({
        file: join(folder, "node_modules/stripe-stateful-mock/dist/cli.js"),
        environment: { PORT: String(port), LOG_LEVEL: "silent" },
      }),
    ),
    await prism(ours, stage),
    await medusa(surroundings),
  ];
}

type Program = {
  readonly file: string;
  readonly parameters?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
};

async function fromNpm(
  name: string,
  version: string,
  peer: Pick<Peer, "flow" | "keeps">,
  programAt: (folder: string, port: number) => Program,
): Promise<Peer | Absent> {
  const installed: Installed = await installPeer(name, version);
  const label = `${name.replace("@stoplight/", "")} ${version}`;
  if ("obstacle" in installed) return { name: label, obstacle: installed.obstacle };
  const { folder } = installed;
  return {
    ...peer,
    name: label,
    bytes: await bytesIn(join(folder, "node_modules")),
    start: async (stage) => {
      const port = await freePort();
      const { file, parameters = [], environment = {} } = programAt(folder, port);
      const env = { ...process.env, ...environment };
      return { pid: startProgram(stage, file, { env, stdio: "ignore", parameters }).pid, port };
    },
  };
}

/** Prism on the description that our own gateway serves. */
async function prism(ours: Peer, stage: AsyncDisposableStack): Promise<Peer | Absent> {
  const folder = await mkdtemp(join(tmpdir(), "tidegate-prism-"));
  stage.defer(() => rm(folder, { recursive: true, force: true }));
  const description = join(folder, "openapi.json");
  {
    await using once = new AsyncDisposableStack();
    const { port } = await ours.start(once);
    const answer = await fetch(`http://127.0.0.1:${port}/openapi.json`);
    await writeFile(description, await answer.text());
  }
  return fromNpm(
    "@stoplight/prism-cli",
    "5.16.0",
    { flow: "prism", keeps: "nothing" },
    (installed, port) => ({
      file: join(installed, "node_modules/@stoplight/prism-cli/dist/index.js"),
      parameters: ["mock", description, "--host", "127.0.0.1", "--port", String(port)],
    }),
  );
}

const ROUTES = {
  "payments.ts": "payments/route.js",
  "pay.ts": "payments/[id]/pay/route.js",
  "payment.ts": "payments/[id]/route.js",
};

/** Medusa's server with its payment module and built-in provider, on our PostgreSQL, behind three routes of a shop. */
async function medusa({ stage, server, report }: Surroundings): Promise<Peer | Absent> {
  const installed = await prepareMedusa();
  const name = `Medusa ${MEDUSA}`;
  if ("obstacle" in installed) return { name, obstacle: installed.obstacle };
  const folder = await mkdtemp(join(tmpdir(), "tidegate-bench-medusa-"));
  stage.defer(() => rm(folder, { recursive: true, force: true }));
  await symlink(join(installed.folder, "node_modules"), join(folder, "node_modules"));
  // Medusa's commands know a project by its dependencies.
  await copyFile(join(installed.folder, "package.json"), join(folder, "package.json"));
  await writeFile(join(folder, "medusa-config.js"), MEDUSA_CONFIG);
  for (const [source, path] of Object.entries(ROUTES)) {
    const route = join(folder, "src/api/bench", path);
    await mkdir(join(route, ".."), { recursive: true });
    const text = await readFile(join(import.meta.dirname, "medusa-routes", source), "utf8");
    await writeAsCommonJs(route, text);
  }
  // Without the option Medusa expects TLS of a server on a socket.
  const url = `${await server.newDatabase("medusa")}?sslmode=disable`;
  const shop = medusaShop(folder, { DATABASE_URL: url });
  report("migrating Medusa's database");
  try {
    await shop.command("db:migrate", "--skip-scripts");
  } catch (error) {
    return { name, obstacle: `its database cannot be migrated: ${String(error).slice(0, 200)}` };
  }
  return {
    flow: "medusa",
    name,
    keeps: "on disk",
    bytes: await bytesIn(join(installed.folder, "node_modules")),
    start: async (own) => {
      const { pid, url: origin, stop } = await shop.start();
      own.defer(stop);
      return { pid, port: Number(new URL(origin).port) };
    },
  };
}

const MEDUSA_CONFIG = `const { defineConfig } = require("@medusajs/framework/utils");
const http = { storeCors: "", adminCors: "", authCors: "", jwtSecret: "bench", cookieSecret: "bench" };
module.exports = defineConfig({
  projectConfig: { databaseUrl: process.env.DATABASE_URL, http },
  admin: { disable: true },
});
`;

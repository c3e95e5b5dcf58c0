import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, openSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { transformSync } from "esbuild";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";

const run = promisify(execFile);

/** The version that is tried. */
export const MEDUSA = "2.21.2";

/** Its file storage at Amazon, which no shop here uses, asks for the newest of three packages; they do not always fit together. */
const AMAZON = "3.980.0";

const INSTALL_WITHIN_MS = 1_200_000;
const COMMAND_WITHIN_MS = 600_000;
const START_WITHIN_MS = 240_000;

export type MedusaProject = { readonly folder: string } | { readonly obstacle: string };

/** A project with Medusa from npm (680 MB). Kept between runs, because fetching takes five minutes. */
export async function prepareMedusa(): Promise<MedusaProject> {
  const packages = ["@medusajs/medusa", "@medusajs/framework", "@medusajs/cli"];
  const dependencies = Object.fromEntries(packages.map((name) => [name, MEDUSA]));
  const amazon = ["@aws-sdk/client-s3", "@aws-sdk/lib-storage", "@aws-sdk/s3-request-presigner"];
  const overrides = Object.fromEntries(amazon.map((name) => [name, AMAZON]));
  const manifest = JSON.stringify({ private: true, name: "shop", dependencies, overrides });
  const key = createHash("sha256").update(manifest).digest("hex").slice(0, 8);
  const folder = join(tmpdir(), `tidegate-interop-medusa-${key}`);
  try {
    if (!existsSync(join(folder, "ready"))) {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, "package.json"), manifest);
      const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
      await run("npm", ["install", ...quiet], { cwd: folder, timeout: INSTALL_WITHIN_MS });
      await writeFile(join(folder, "ready"), "");
    }
    return { folder };
  } catch (error) {
    return { obstacle: `npm cannot install Medusa ${MEDUSA}: ${String(error).slice(0, 300)}` };
  }
}

/** Medusa's command line and server, in that project. */
export type MedusaShop = {
  /** Runs a command of Medusa's command line to its end. */
  readonly command: (...parameters: readonly string[]) => Promise<void>;
  readonly start: () => Promise<MedusaServer>;
};

export type MedusaServer = {
  readonly pid: number;
  readonly url: string;
  /** What the server has logged so far. */
  readonly log: () => Promise<string>;
  readonly stop: () => Promise<void>;
};

export function medusaShop(folder: string, environment: Readonly<Record<string, string>>): MedusaShop {
  const program = join(folder, "node_modules/@medusajs/cli/cli.js");
  const env = { ...process.env, NODE_ENV: "production", MEDUSA_DISABLE_TELEMETRY: "true", ...environment };
  return {
    command: async (...parameters) => {
      await run(process.execPath, [program, ...parameters], { cwd: folder, env, timeout: COMMAND_WITHIN_MS });
    },
    start: async () => {
      const port = await freePort();
      const file = join(folder, "server.log");
      await writeFile(file, "");
      const output = openSync(file, "a");
      const parameters = [program, "start", "--host", "127.0.0.1", "--port", String(port)];
      const stdio = ["ignore", output, output] as const;
      const child = spawn(process.execPath, parameters, { cwd: folder, env, stdio: [...stdio] });
      const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
      const server: MedusaServer = {
        pid: child.pid ?? Number.NaN,
        url: `http://127.0.0.1:${port}`,
        log: () => readFile(file, "utf8"),
        stop: async () => {
          child.kill("SIGTERM");
          const force = setTimeout(() => child.kill("SIGKILL"), 20_000);
          await ended;
          clearTimeout(force);
        },
      };
      try {
        await eventually("Medusa answers", () => isHealthy(server.url, child.exitCode), START_WITHIN_MS);
        return server;
      } catch (error) {
        await server.stop();
        throw new Error(`Medusa did not start: ${(await server.log()).slice(-2_000)}`, { cause: error });
      }
    },
  };
}

async function isHealthy(url: string, exitCode: number | null): Promise<boolean> {
  if (exitCode !== null) throw new Error(`Medusa exited with ${exitCode}`);
  return fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** TypeScript as the CommonJS that Medusa's commands load without a build. */
export async function writeAsCommonJs(path: string, text: string): Promise<void> {
  await writeFile(path, transformSync(text, { loader: "ts", format: "cjs", platform: "node" }).code);
}

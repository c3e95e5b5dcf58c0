import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { freePort } from "../support/free-port.ts";

const run = promisify(execFile);
const SOURCES = join(import.meta.dirname, "react-app");

/** Versions that are tried. Vite's own pin of its bundler names platform packages that some registries lack. */
export const REACTS = {
  18: { react: "18.3.1", "react-dom": "18.3.1", "@types/react": "18.3.8", "@types/react-dom": "18.3.7" },
  19: { react: "19.3.1", "react-dom": "19.3.1", "@types/react": "19.3.0", "@types/react-dom": "19.3.0" },
} as const;
const VITE = { vite: "8.3.5" };
const OVERRIDES = { rolldown: "1.2.14" };

export type ReactVersion = keyof typeof REACTS;
export type Project = { readonly folder: string } | { readonly obstacle: string };

/** A project with React and Vite from npm. Kept between runs, because fetching takes a minute. */
export async function prepareProject(version: ReactVersion): Promise<Project> {
  const manifest = JSON.stringify({
    private: true,
    type: "module",
    dependencies: { ...REACTS[version], ...VITE },
    overrides: OVERRIDES,
  });
  const key = createHash("sha256").update(manifest).digest("hex").slice(0, 8);
  const folder = join(tmpdir(), `tidegate-interop-react-${version}-${key}`);
  try {
    if (!existsSync(join(folder, "ready"))) {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, "package.json"), manifest);
      const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
      await run("npm", ["install", ...quiet], { cwd: folder, timeout: 180_000 });
      await writeFile(join(folder, "ready"), "");
    }
    return { folder };
  } catch (error) {
    return { obstacle: `npm cannot fetch React ${version} and Vite: ${String(error).slice(0, 300)}` };
  }
}

export async function copySources(folder: string): Promise<void> {
  await cp(SOURCES, folder, { recursive: true });
}

/** Runs a guide's commands that pack the package in a checkout and install it in a project; without a registry. */
export async function installAsShown(commands: string, checkout: string, folder: string): Promise<void> {
  const env = {
    ...process.env,
    HOME: checkout,
    YOUR_PROJECT: folder,
    npm_config_offline: "true",
    npm_config_ignore_scripts: "true",
    npm_config_audit: "false",
    npm_config_fund: "false",
    // The project is kept for the next run, the packed file is not.
    npm_config_save: "false",
  };
  await run("sh", ["-ec", commands], { cwd: checkout, env });
}

/** `development` is React's own development build: StrictMode runs effects twice, hydration errors are logged. */
export async function buildApp(folder: string, mode: "development" | "production"): Promise<void> {
  const vite = join(folder, "node_modules/vite/bin/vite.js");
  const env = { ...process.env, NODE_ENV: mode };
  const build = (...more: string[]) =>
    run(process.execPath, [vite, "build", "--mode", mode, "--logLevel", "warn", ...more], {
      cwd: folder,
      env,
    });
  await build("--outDir", `dist-${mode}/browser`);
  await build("--outDir", `dist-${mode}/server`, "--ssr", "server.tsx");
}

type ShopPage = { readonly hostedUrl: string; readonly tokens: readonly (string | null)[] };
export type ReactApp = { readonly origin: string; readonly stop: () => Promise<void> };

const TYPES: Readonly<Record<string, string>> = { ".js": "text/javascript", ".css": "text/css" };

/** Serves the built app: every page is rendered on the server first. */
export async function serveApp(
  folder: string,
  mode: "development" | "production",
  page: () => ShopPage,
): Promise<ReactApp> {
  const place = join(folder, `dist-${mode}`);
  const html = await readFile(join(place, "browser/index.html"), "utf8");
  const { render } = (await import(pathToFileURL(join(place, "server/server.js")).href)) as {
    render: (path: string, page: ShopPage) => string;
  };
  const answer = async (path: string) => {
    if (path.startsWith("/assets/")) return readFile(join(place, "browser", path), "utf8");
    const data = `<script>window.shopPage = ${JSON.stringify(page())}</script>`;
    return html.replace("<!--app-->", render(path, page())).replace("<div id", `${data}<div id`);
  };
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://shop.example").pathname;
    answer(path).then(
      (body) => {
        const type = TYPES[extname(path)] ?? "text/html";
        response.writeHead(200, { "Content-Type": `${type}; charset=utf-8` }).end(body);
      },
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

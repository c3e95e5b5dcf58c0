/**
 * Finds or installs the browser for tests and screenshots.
 *
 *   node bin/run.js tools/chromium.ts   prints where it is
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

/** The headless shell comes first: the same engine without windows takes about half the time per page. */
const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];
/** Not every system has the first package. */
const PACKAGES = ["chromium-headless-shell", "chromium"];
const FOLDERS = ["/usr/bin", ...(process.env["PATH"] ?? "").split(delimiter)];
const APT = "/usr/bin/apt-get";
const PLAYWRIGHT = join(import.meta.dirname, "../node_modules/playwright-core/cli.js");
const ADVICE = "install Chromium, or set TIDEGATE_CHROMIUM to the path of a Chromium or Chrome";

/** The path of a Chromium or Chrome, if any. The environment variable comes first. */
export function findChromium(): string | undefined {
  const named = process.env["TIDEGATE_CHROMIUM"];
  if (named !== undefined && named !== "") {
    if (existsSync(named)) return named;
    throw new Error(`TIDEGATE_CHROMIUM names ${named}, which does not exist; ${ADVICE}`);
  }
  const installed = FOLDERS.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...installed, chromium.executablePath()].find((path) => path !== "" && existsSync(path));
}

/** The same; installs the system's package or Playwright's download if there is none. */
export function ensureChromium(): string {
  const found = findChromium() ?? (installPackage() || installDownload() ? findChromium() : undefined);
  if (found === undefined) throw new Error(`the browser tests need a Chromium; ${ADVICE}`);
  return found;
}

function installPackage(): boolean {
  if (process.getuid?.() !== 0 || !existsSync(APT)) return false;
  console.log("no Chromium found: installing the system's package (about 20 s)");
  const install = (name: string) => run(APT, "install", "--yes", "--no-install-recommends", name);
  return run(APT, "update", "--quiet") && PACKAGES.some(install);
}

function installDownload(): boolean {
  if (!existsSync(PLAYWRIGHT)) return false;
  console.log("no Chromium found: downloading Playwright's");
  return run(process.execPath, PLAYWRIGHT, "install", "chromium");
}

/** Prints the output only on failure. */
function run(command: string, ...parameters: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { status, stdout, stderr } = spawnSync(command, parameters, { env, encoding: "utf8" });
  if (status !== 0) console.error(`${command} ${parameters.join(" ")} failed:\n${stdout}${stderr}`);
  return status === 0;
}

if (process.argv[1] === import.meta.filename) console.log(`browser: ${ensureChromium()}`);

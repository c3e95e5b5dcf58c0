/**
 * The browser of the tests and pictures: one that is there already, or one that is installed now.
 *
 *   node tools/chromium.ts   prints where it is
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

/** The shell comes first: the same engine without a browser's windows takes about half the time on a page. */
const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];
/** Not every system has the first. */
const PACKAGES = ["chromium-headless-shell", "chromium"];
const FOLDERS = ["/usr/bin", ...(process.env["PATH"] ?? "").split(delimiter)];
const APT = "/usr/bin/apt-get";
const PLAYWRIGHT = join(import.meta.dirname, "../node_modules/playwright-core/cli.js");
const ADVICE = "install Chromium, or set TIDEGATE_CHROMIUM to the path of a Chromium or Chrome";

/** The path of a Chromium or Chrome, if there is one. What the environment names comes first. */
export function findChromium(): string | undefined {
  const named = process.env["TIDEGATE_CHROMIUM"];
  if (named !== undefined && named !== "") {
    if (existsSync(named)) return named;
    throw new Error(`TIDEGATE_CHROMIUM names ${named}, where nothing is; ${ADVICE}`);
  }
  const installed = FOLDERS.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...installed, chromium.executablePath()].find((path) => path !== "" && existsSync(path));
}

/** The same, and where there is none, the system's package or Playwright's own download. */
export function ensureChromium(): string {
  const found = findChromium() ?? (installPackage() || installDownload() ? findChromium() : undefined);
  if (found === undefined) throw new Error(`the browser tests need a Chromium; ${ADVICE}`);
  return found;
}

function installPackage(): boolean {
  if (process.getuid?.() !== 0 || !existsSync(APT)) return false;
  console.log("no Chromium here yet: installing the system's package (about 20 s)");
  const install = (name: string) => run(APT, "install", "--yes", "--no-install-recommends", name);
  return run(APT, "update", "--quiet") && PACKAGES.some(install);
}

function installDownload(): boolean {
  if (!existsSync(PLAYWRIGHT)) return false;
  console.log("no Chromium here yet: downloading Playwright's");
  return run(process.execPath, PLAYWRIGHT, "install", "chromium");
}

/** What it had to say is shown only when it failed. */
function run(command: string, ...parameters: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { status, stdout, stderr } = spawnSync(command, parameters, { env, encoding: "utf8" });
  if (status !== 0) console.error(`${command} ${parameters.join(" ")} failed:\n${stdout}${stderr}`);
  return status === 0;
}

if (import.meta.main) console.log(ensureChromium());

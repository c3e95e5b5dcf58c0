// Finds a Node 24 or newer on this machine. Plain JavaScript for Node 18: see launch.js.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

const OLDEST = 24;

/** @param {string} version */
export function isNewEnough(version) {
  return majorOf(version) >= OLDEST;
}

/**
 * The one that `npm install` has brought, then those of the PATH, then those of version managers, newest first.
 *
 * @param {string} root
 * @param {NodeJS.ProcessEnv} environment
 */
export function findNode(root, environment = process.env) {
  /** @type {Set<string>} */
  const seen = new Set();
  for (const file of candidates(root, environment)) {
    if (!existsSync(file)) continue;
    const real = realpathSync(file);
    if (seen.has(real)) continue;
    seen.add(real);
    if (runs(file)) return file;
  }
  return undefined;
}

/**
 * @param {string} root
 * @param {NodeJS.ProcessEnv} environment
 */
function* candidates(root, environment) {
  const name = `node-${process.platform}-${process.arch}/bin/node`;
  // npm installs it below this package, or beside it in the project that depends on it.
  yield join(root, "node_modules", name);
  yield join(root, "..", name);
  for (const folder of (environment["PATH"] || "").split(delimiter))
    if (folder !== "") yield join(folder, "node");
  for (const [folder, below] of versionFolders(environment)) {
    for (const version of newestFirst(folder)) yield join(folder, version, below);
  }
  // Homebrew, and what installers for all users write.
  for (const prefix of ["/opt/homebrew", "/usr/local"]) {
    yield join(prefix, `opt/node@${OLDEST}/bin/node`);
    yield join(prefix, "bin/node");
  }
}

/**
 * Where version managers keep their versions, and the path of the program inside each.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @returns {[string, string][]}
 */
function versionFolders(environment) {
  const home = environment["HOME"] || homedir();
  const data = environment["XDG_DATA_HOME"] || join(home, ".local/share");
  const plain = "bin/node";
  return [
    [join(environment["NVM_DIR"] || join(home, ".nvm"), "versions/node"), plain],
    [join(environment["FNM_DIR"] || join(data, "fnm"), "node-versions"), "installation/bin/node"],
    [join(home, "Library/Application Support/fnm/node-versions"), "installation/bin/node"],
    [join(environment["VOLTA_HOME"] || join(home, ".volta"), "tools/image/node"), plain],
    [join(environment["ASDF_DATA_DIR"] || join(home, ".asdf"), "installs/nodejs"), plain],
    [join(environment["MISE_DATA_DIR"] || join(data, "mise"), "installs/node"), plain],
    [join(environment["NODENV_ROOT"] || join(home, ".nodenv"), "versions"), plain],
    [join(environment["N_PREFIX"] || "/usr/local", "n/versions/node"), plain],
  ];
}

/** @param {string} folder */
function newestFirst(folder) {
  if (!existsSync(folder)) return [];
  const versions = readdirSync(folder).filter((name) => isNewEnough(name.replace(/^v/, "")));
  return versions.sort((one, other) => other.localeCompare(one, "en", { numeric: true }));
}

/**
 * Runs it: a program for another C library exists and is executable, and still does not start.
 *
 * @param {string} file
 */
function runs(file) {
  const { status, stdout } = spawnSync(file, ["--version"], { encoding: "utf8", timeout: 10000 });
  return status === 0 && isNewEnough(String(stdout).trim().replace(/^v/, ""));
}

/** @param {string} version */
function majorOf(version) {
  return Number(version.split(".")[0]);
}

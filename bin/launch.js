// Runs a program of this package on Node 24 or newer, whichever Node (18 or newer) executes this file. So this is plain
// JavaScript that needs nothing newer than Node 18.
import "./refuse-windows.js";
import { spawn } from "node:child_process";
import module from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { endWithParent } from "./end-with-parent.js";
import { findNode, isNewEnough } from "./find-node.js";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Runs a path below this package. The program reads its arguments from `process.argv`, from the third on.
 *
 * @param {string} program
 * @param {string[]} words
 */
export async function launch(program, words) {
  const file = new URL(`../${program}`, import.meta.url);
  if (isNewEnough(process.versions.node)) {
    process.argv = [process.execPath, fileURLToPath(file), ...words];
    endWithParent();
    keepCompiledCode();
    await import(pathToFileURL(fileURLToPath(file)).href);
  } else {
    const node = findNode(root);
    if (node === undefined) {
      refuse(
        `Node 24 or newer is needed, this is Node ${process.versions.node} and no other was found: install it from https://nodejs.org or with your version manager (such as \`nvm install 24\`)`,
      );
    } else runWith(node, [fileURLToPath(new URL("run.js", import.meta.url)), program, ...words]);
  }
}

/**
 * Node keeps what it has compiled when the program ends, and the next start takes two thirds of the time. It lies beside the
 * code and has its owner: in a folder for all users, another user could put code there. Where nothing can be written, Node
 * goes on without it.
 */
function keepCompiledCode() {
  if (module.enableCompileCache !== undefined)
    module.enableCompileCache(join(root, "node_modules/.cache/tidegate"));
}

/** @param {string} line */
function refuse(line) {
  process.stderr.write(`tidegate: ${line}\n`);
  process.exitCode = 1;
}

/**
 * This process stands for the other: it passes signals on, and ends as the other ends.
 *
 * @param {string} node
 * @param {string[]} words
 */
function runWith(node, words) {
  // The other notices by the closed channel when this process dies without a chance to pass anything on.
  const child = spawn(node, words, { stdio: ["inherit", "inherit", "inherit", "ipc"] });
  /** @type {NodeJS.Signals[]} */
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => refuse(`${node} does not start: ${error.message}`));
  child.on("exit", (code, signal) => {
    if (signal === null) return process.exit(code === null ? 1 : code);
    for (const one of signals) process.removeAllListeners(one);
    process.kill(process.pid, signal);
  });
}

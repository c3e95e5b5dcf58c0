// Plain JavaScript for Node 18: see launch.js.
import { readFileSync } from "node:fs";

const EVERY_MS = 500;

/**
 * npm ends at its signal, or is killed, and does not always pass that on: between `npx` and the program is a shell that
 * dies alone. Without this, the program would go on without a terminal or a parent that could end it. It then gets SIGTERM.
 */
export function endWithParent(environment = process.env) {
  const end = () => process.kill(process.pid, "SIGTERM");
  if (process.channel) {
    process.once("disconnect", end);
    process.channel.unref();
  }
  const parent = process.ppid;
  // A program that was started by other means may outlive its parent on purpose (nohup, setsid).
  if (environment["npm_execpath"] === undefined || parent <= 1) return;
  const npm = npmAbove(parent);
  const timer = setInterval(() => {
    if (process.ppid === parent && (npm === undefined || isAlive(npm))) return;
    clearInterval(timer);
    end();
  }, EVERY_MS);
  timer.unref();
}

/**
 * The npm above the shell that it started us with, where /proc shows it.
 *
 * @param {number} parent
 */
function npmAbove(parent) {
  try {
    const found = /^\d+ \((.*)\) \S (\d+) /s.exec(readFileSync(`/proc/${parent}/stat`, "utf8"));
    if (found === null) return undefined;
    const [, name = "", above = ""] = found;
    if (name.startsWith("npm")) return undefined;
    return readFileSync(`/proc/${above}/comm`, "utf8").startsWith("npm") ? Number(above) : undefined;
  } catch (_) {
    return undefined;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import type { Framing } from "../../src/connectors/iso8583/framing.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";

const VERSION = "2.1.10";
const FOLDER = join(import.meta.dirname, "jpos-host");
/** Kept between runs; Maven takes minutes to fetch it the first time. */
const LIBRARIES = join(tmpdir(), `tidegate-interop-jpos-${VERSION}`);
const run = promisify(execFile);

/** Fetches jPOS where it is not here yet. The reason, where that cannot be. */
export async function findObstacle(): Promise<string | undefined> {
  for (const [command, flag] of [
    ["java", "-version"],
    ["mvn", "-version"],
  ] as const) {
    try {
      await run(command, [flag]);
    } catch {
      return `${command} is missing: jPOS needs Java 17 and Maven`;
    }
  }
  const ready = join(LIBRARIES, "ready");
  if (existsSync(ready)) return undefined;
  try {
    await mkdir(LIBRARIES, { recursive: true });
    const output = `-DoutputDirectory=${join(LIBRARIES, "lib")}`;
    const options = ["-B", "-ntp", "-q", "-f", join(FOLDER, "pom.xml")];
    await run("mvn", [...options, "dependency:copy-dependencies", output]);
    await writeFile(ready, VERSION);
    return undefined;
  } catch (error) {
    return `Maven cannot fetch jPOS ${VERSION}: ${String(error).slice(0, 300)}`;
  }
}

export type JposEntry = {
  readonly type: string;
  readonly code: string;
  readonly retrieval: string;
  readonly response: string;
  readonly captured: number;
  readonly reversed: boolean;
};

export type JposHost = {
  readonly port: number;
  readonly ledger: () => Promise<readonly JposEntry[]>;
  /** Every message as jPOS read it: field 0 is its type. */
  readonly seen: () => Promise<readonly Readonly<Record<string, string>>[]>;
  readonly stop: () => Promise<void>;
};

export async function startJpos(dialect: string, framing: Framing): Promise<JposHost> {
  const port = await freePort();
  const classes = join(LIBRARIES, "lib", "*");
  const child = spawn("java", ["-cp", classes, join(FOLDER, "Host.java"), String(port), dialect, framing], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value } = await lines.next();
  if (value !== "ready") throw new Error(`the jPOS host did not start: ${value}`);
  await eventually("jPOS listens", () => canConnect(port), 10_000);
  const ask = async (command: string) => {
    child.stdin.write(`${command}\n`);
    return JSON.parse(String((await lines.next()).value));
  };
  return {
    port,
    ledger: () => ask("ledger"),
    seen: () => ask("seen"),
    stop: () => ended(child),
  };
}

async function canConnect(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host: "127.0.0.1", port }, () => resolve(true));
  socket.once("error", () => resolve(false));
  const isOpen = await promise;
  socket.destroy();
  return isOpen;
}

async function ended(child: ChildProcess): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once("exit", () => resolve());
  child.kill("SIGKILL");
  await promise;
}

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { verdict } from "./lines.ts";
import type { BenchOptions, Finding, Question } from "./question.ts";
import { startDatabaseServer } from "./stage/database.ts";
import { startGatewayProgram } from "./stage/gateway.ts";
import { ROOT } from "./stage/program.ts";

const MEMORY_GOAL_MB = 120;
const START_GOAL_MS = 3_000;
const HELP_GOAL_MS = 300;
const STARTS = 5;
const HELPS = 9;
const IDLE_MS = 10_000;

/** What the gateway takes before its first request. */
export const rest: Question = {
  name: "rest",
  description: `memory of the gateway's process at rest (goal: ${MEMORY_GOAL_MB} MB) and milliseconds from its start on an existing data folder until it is ready (goal: ${START_GOAL_MS}; median), and that \`tidegate --help\` takes (goal: ${HELP_GOAL_MS})`,
  answer: answerRest,
};

async function answerRest({ stage, report }: BenchOptions): Promise<Finding> {
  const folder = await mkdtemp(join(tmpdir(), "tidegate-bench-"));
  stage.defer(() => rm(folder, { recursive: true, force: true }));
  report("the first start creates the data folder");
  await timeStart(folder);
  report(`starting ${STARTS} times`);
  const times: number[] = [];
  for (let turn = 0; turn < STARTS; turn += 1) times.push(await timeStart(folder));
  const start = median(times);
  report(`printing help ${HELPS + 1} times`);
  const help = timeHelp(join(folder, "compiled"));
  report("measuring memory at rest");
  const url = await (await startDatabaseServer(stage)).newDatabase("ours");
  const { pid } = await startGatewayProgram(stage, url, {});
  await pause(IDLE_MS);
  const memory = residentMb(pid);
  const met = [memory <= MEMORY_GOAL_MB, start <= START_GOAL_MS, help.met] as const;
  return {
    lines: [
      `memory at rest  ${memory.toFixed(0)} MB resident after ${IDLE_MS / 1_000} s; goal ${MEMORY_GOAL_MB}: ${verdict(met[0])}`,
      `ready in        ${start.toFixed(0)} ms with the embedded database; goal ${START_GOAL_MS}: ${verdict(met[1])}`,
      help.line,
    ],
    met: met.every(Boolean),
  };
}

/** With the embedded database in that folder, which is stopped afterwards. */
async function timeStart(folder: string): Promise<number> {
  await using stage = new AsyncDisposableStack();
  const startedAt = performance.now();
  await startGatewayProgram(stage, undefined, { TIDEGATE_DATA_DIR: folder });
  return performance.now() - startedAt;
}

type Help = { readonly cpu: number; readonly wall: number };

/** The first run, which finds no compiled code, and the median of later ones. */
function timeHelp(cache: string): { readonly line: string; readonly met: boolean } {
  const first = printHelp(cache);
  const runs = Array.from({ length: HELPS }, () => printHelp(cache));
  const later = { cpu: median(runs.map(({ cpu }) => cpu)), wall: median(runs.map(({ wall }) => wall)) };
  const isMet = ({ cpu, wall }: Help) => Math.max(cpu, wall) < HELP_GOAL_MS;
  const show = (one: Help) => `${one.cpu.toFixed(0)} ms of CPU in ${one.wall.toFixed(0)} ms`;
  return {
    line: `--help          first ${show(first)}, without compiled code; later ${show(later)} (medians of ${HELPS}); goal ${HELP_GOAL_MS}: ${verdict(isMet(first))}, later ${verdict(isMet(later))}`,
    met: isMet(first) && isMet(later),
  };
}

/** Prints the CPU time of its process when that ends. */
const REPORT_CPU =
  'data:text/javascript,process.on("exit",()=>{const{user,system}=process.cpuUsage();process.stderr.write(String((user+system)/1e3))})';

function printHelp(cache: string): Help {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--import", REPORT_CPU, join(ROOT, "bin/tidegate.js"), "--help"],
    { encoding: "utf8", env: { ...process.env, NODE_COMPILE_CACHE: cache } },
  );
  const wall = performance.now() - startedAt;
  if (status !== 0) throw new Error(`--help ended with ${status}: ${stderr}`);
  return { cpu: Number(stderr), wall };
}

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;
}

function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;
}

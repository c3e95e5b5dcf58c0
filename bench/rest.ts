import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { verdict } from "./lines.ts";
import type { BenchOptions, Finding, Question } from "./question.ts";
import { startDatabaseServer } from "./stage/database.ts";
import { startGatewayProgram } from "./stage/gateway.ts";

const MEMORY_GOAL_MB = 120;
const START_GOAL_MS = 3_000;
const STARTS = 5;
const IDLE_MS = 10_000;

/** What the gateway takes before its first request. */
export const rest: Question = {
  name: "rest",
  description: `memory of the gateway's process at rest (goal: ${MEMORY_GOAL_MB} MB) and milliseconds from its start on an existing data folder until it is ready (goal: ${START_GOAL_MS}; median)`,
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
  const start = times.toSorted((one, other) => one - other)[Math.floor(STARTS / 2)] ?? Number.NaN;
  report("measuring memory at rest");
  const url = await (await startDatabaseServer(stage)).newDatabase("ours");
  const { pid } = await startGatewayProgram(stage, url, {});
  await pause(IDLE_MS);
  const memory = residentMb(pid);
  const met = [memory <= MEMORY_GOAL_MB, start <= START_GOAL_MS] as const;
  return {
    lines: [
      `memory at rest  ${memory.toFixed(0)} MB resident after ${IDLE_MS / 1_000} s; goal ${MEMORY_GOAL_MB}: ${verdict(met[0])}`,
      `ready in        ${start.toFixed(0)} ms with the embedded database; goal ${START_GOAL_MS}: ${verdict(met[1])}`,
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

function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;
}

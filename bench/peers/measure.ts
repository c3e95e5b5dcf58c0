import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { percentile, perSecond } from "../statistics.ts";
import type { Caller } from "./call.ts";
import type { CallResult } from "./caller.ts";
import type { Peer, Running } from "./contenders.ts";
import { FLOWS, type Work } from "./flows.ts";

/** Callers of the closed loop: what a busy shop's server has open at once. */
export const CALLERS = 8;
/** Payments per second of the open loop: below what the slowest durable program does. */
export const ARRIVALS = 10;
const STARTS = 3;
const READY_WITHIN_MS = 120_000;
const REST_MS = 5_000;

/** What was measured of one program. Medians over its slices; undefined for works that it does not do. */
export type Result = {
  readonly peer: Peer;
  readonly startMs: number;
  readonly memoryMb: number;
  readonly busyMemoryMb: number;
  readonly works: Readonly<Partial<Record<Work, { readonly rate: number; readonly p50: number }>>>;
  readonly openLoop: { readonly p50: number; readonly p99: number } | undefined;
  readonly failures: number;
  readonly problem: string | undefined;
};

const WORKS: readonly Work[] = ["create", "payment", "read"];

type Slices = { readonly closed: Record<Work, CallResult[]>; readonly open: CallResult[] };

export async function measurePeers(
  peers: readonly Peer[],
  options: {
    readonly stage: AsyncDisposableStack;
    readonly caller: Caller;
    readonly seconds: number;
    readonly report: (line: string) => void;
  },
): Promise<readonly Result[]> {
  const { stage, caller, seconds, report } = options;
  const startsMs = await timeStarts(peers, caller, report);
  report("starting all of them");
  const running = new Map<Peer, Running>();
  for (const peer of peers) running.set(peer, await startReady(peer, stage, caller));
  await pause(REST_MS);
  const atRest = new Map([...running].map(([peer, { pid }]) => [peer, residentMb(pid)]));

  const slices = new Map<Peer, Slices>(
    peers.map((peer) => [peer, { closed: { create: [], payment: [], read: [] }, open: [] }]),
  );
  const order = (peer: Peer, work: Work) => ({ flow: peer.flow, work, ports: portsOf(running, peer) });
  const turns = Math.max(3, Math.round(seconds / 3));
  const slice = seconds / turns;
  // The first turn warms up and is not counted.
  for (let turn = 0; turn <= turns; turn += 1) {
    if (turn % 3 === 0) report(`turn ${turn} of ${turns}, ${slice.toFixed(1)} s per program and work`);
    // In alternating order: a machine that gets steadily slower affects each alike.
    for (const peer of turn % 2 === 1 ? peers : peers.toReversed()) {
      const { closed, open } = slices.get(peer) ?? {
        closed: { create: [], payment: [], read: [] },
        open: [],
      };
      for (const work of WORKS.filter((one) => FLOWS[peer.flow][one] !== undefined)) {
        const result = await caller.run({ ...order(peer, work), callers: CALLERS, seconds: slice });
        if (turn > 0) closed[work].push(result);
      }
      if (FLOWS[peer.flow].payment === undefined) continue;
      const arrivals = { callers: 64, seconds: slice, rate: ARRIVALS };
      const result = await caller.run({ ...order(peer, "payment"), ...arrivals });
      if (turn > 0) open.push(result);
    }
  }
  return peers.map((peer) => ({
    peer,
    startMs: median(startsMs.get(peer) ?? []),
    memoryMb: atRest.get(peer) ?? Number.NaN,
    busyMemoryMb: residentMb(running.get(peer)?.pid ?? 0),
    ...summary(slices.get(peer)),
  }));
}

function summary(slices: Slices | undefined): Pick<Result, "works" | "openLoop" | "failures" | "problem"> {
  const { closed, open } = slices ?? { closed: { create: [], payment: [], read: [] }, open: [] };
  const works = Object.fromEntries(
    WORKS.filter((work) => closed[work].length > 0).map((work) => [
      work,
      {
        rate: median(closed[work].map(perSecond)),
        p50: median(closed[work].map((one) => percentile(one, 0.5))),
      },
    ]),
  );
  const all = [...Object.values(closed).flat(), ...open];
  const of = (share: number) => median(open.map((one) => percentile(one, share)));
  return {
    works,
    openLoop: open.length === 0 ? undefined : { p50: of(0.5), p99: of(0.99) },
    failures: all.reduce((sum, { answers }) => sum + (answers[0] ?? 0), 0),
    problem: all.find(({ problem }) => problem !== undefined)?.problem,
  };
}

/** From the start of the process until it has answered its first work. */
async function timeStarts(
  peers: readonly Peer[],
  caller: Caller,
  report: (line: string) => void,
): Promise<ReadonlyMap<Peer, readonly number[]>> {
  const times = new Map<Peer, number[]>(peers.map((peer) => [peer, []]));
  for (let turn = 1; turn <= STARTS; turn += 1) {
    report(`cold starts, ${turn} of ${STARTS}`);
    for (const peer of peers) {
      await using own = new AsyncDisposableStack();
      const startedAt = performance.now();
      await startReady(peer, own, caller);
      times.get(peer)?.push(performance.now() - startedAt);
    }
  }
  return times;
}

async function startReady(peer: Peer, stage: AsyncDisposableStack, caller: Caller): Promise<Running> {
  const running = await peer.start(stage);
  const work: Work = FLOWS[peer.flow].create === undefined ? "payment" : "create";
  const until = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const first = { flow: peer.flow, work, ports: running, callers: 1, seconds: 0.001 };
    const { answers, problem } = await caller.run(first);
    if ((answers[200] ?? 0) > 0) return running;
    if (performance.now() > until) throw new Error(`${peer.name} does not answer: ${problem}`);
    await pause(10);
  }
}

function portsOf(running: ReadonlyMap<Peer, Running>, peer: Peer): Running {
  const one = running.get(peer);
  if (one === undefined) throw new Error(`${peer.name} is not running`);
  return one;
}

function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

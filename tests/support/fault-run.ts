import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { cloneDatabase, type TestDatabase } from "./database.ts";
import { describeUnsettled } from "./describe-unsettled.ts";
import { eventually } from "./eventually.ts";
import { type GatewayProcess, startGatewayProcess } from "./gateway-process.ts";
import { type Answered, assertKept, countsOf, KINDS, type Kind } from "./mixed-load/answered.ts";
import type { LoadMerchant } from "./mixed-load/lane.ts";
import { type Load, openMerchants, startLoad } from "./mixed-load.ts";
import type { Proof } from "./proof.ts";
import { assertSound, settle } from "./settle.ts";

export type RunningNode = Pick<GatewayProcess, "shop" | "kill"> &
  Partial<Pick<GatewayProcess, "log" | "hasEnded">>;

/** Nodes on one database, and the load on them. Faults may remove and add nodes. */
export type FaultRun = {
  readonly database: TestDatabase;
  readonly nodes: RunningNode[];
  readonly load: Load;
  /** What other loads on the database were answered; none of it may be lost either. */
  readonly others: Answered[];
  /** Waits until gateways have answered so many payments more. */
  readonly untilPaid: (payments: number) => Promise<void>;
  /** A fault ends now; the minute counts from the last one. */
  readonly faultEnds: () => void;
};

export type FaultRunOptions = {
  readonly random: () => number;
  /** Without it, a new database, which is dropped at the end. */
  readonly database?: TestDatabase;
  readonly startNode?: (database: TestDatabase) => Promise<RunningNode>;
  readonly lanes?: number;
  readonly movesClocks?: boolean;
  readonly onInterruption?: (error: unknown) => void;
  /** Runs under load once everything has settled. */
  readonly afterwards?: (database: TestDatabase) => Promise<void>;
  /** One of several runs: the caller checks that they have done everything together. */
  readonly isPart?: boolean;
};

const NODES = 2;
const MERCHANTS = 3;
/** So many lanes have a merchant of their own, whose requests, authorisations and disputes expire. */
const AHEAD = 2;
/** What a load has not done when the faults are over, it does with so much more. */
const [MORE_PAYMENTS, MORE_MS] = [150, 120_000];

/**
 * Injects faults under mixed load. Then everything settles within a minute, the load does what it has not done yet, the
 * ledgers agree, the invariants hold and nothing that was answered is lost. Returns how many steps were interrupted, and
 * what the load has not done.
 */
export async function proveUnderLoad(
  proof: Proof,
  { random, startNode = (on) => startGatewayProcess(on), lanes = 6, ...options }: FaultRunOptions,
  inject: (run: FaultRun) => Promise<void>,
): Promise<{ readonly interrupted: number; readonly missing: readonly Kind[] }> {
  const database = options.database ?? (await cloneDatabase());
  const nodes: RunningNode[] = [];
  try {
    while (nodes.length < NODES) nodes.push(await startNode(database));
    const first = (nodes[0] as RunningNode).shop;
    // Each has a lane, and so events.
    const merchants = await openMerchants(database, first, Math.min(MERCHANTS, lanes));
    const ahead = await openMerchants(database, first, Math.min(AHEAD, lanes));
    const loadOptions = {
      nodes: () => nodes.map(({ shop }) => shop),
      merchants,
      ahead,
      random,
      lanes,
      movesClocks: options.movesClocks ?? true,
      onInterruption: options.onInterruption ?? (() => {}),
    };
    const load = startLoad(loadOptions);
    const { counts } = load.answered;
    const untilPaid = async (payments: number) => {
      // One by one: how long all of them take depends on the machine.
      for (let enough = counts.payments + payments; counts.payments < enough; ) {
        const before = counts.payments;
        await eventually("a payment more is answered", async () => {
          load.check();
          return counts.payments > before;
        });
      }
    };
    const others: Answered[] = [];
    const faults = watchFaults(load);
    try {
      await inject({ database, nodes, load, others, untilPaid, faultEnds: faults.end });
    } catch (error) {
      await load.stop().catch(() => {});
      throw error;
    }
    await load.stop();
    assertRunning(nodes);
    const settled = (since: number) =>
      settle(database, since).catch(async (error: unknown) => {
        throw new Error(`${String(error)}\n${await describeUnsettled(database, nodes)}`);
      });
    proof.most({ "seconds to settle": await settled(faults.lastAt()), ...faults.kindsBetween() });
    if (options.isPart !== true) {
      const rest = startLoad({ ...loadOptions, answered: load.answered });
      try {
        await options.afterwards?.(database);
        await untilComplete(rest);
      } finally {
        await rest.stop();
      }
      assert.deepEqual(load.missing(), [], `not done in a load of ${counts.payments} payments`);
      await settled(Date.now());
    }
    const active = [...merchants, ...(await withEvents(database, ahead))];
    await assertSound(database, load.answered, { merchants: active, node: (nodes[0] as RunningNode).shop });
    for (const answered of others) await assertKept(database, answered);
    const { payments, requests, interrupted } = counts;
    proof.count({ payments, requests, "interrupted steps": interrupted, ...countsOf(load.answered) });
    return { interrupted, missing: load.missing() };
  } finally {
    for (const node of nodes) await node.kill();
    if (options.database === undefined) await database.drop();
  }
}

/** Only what a proof kills may end: to the load, a node that ended by itself looks like one that was killed. */
export function assertRunning(nodes: readonly RunningNode[]): void {
  const ended = nodes.filter(({ hasEnded }) => hasEnded?.() === true);
  assert.deepEqual(
    ended.map(({ log }) => log?.().slice(-2_000)),
    [],
    "nodes ended by themselves",
  );
}

/** Notes when faults end, and how many kinds of work the load does between the first and the last one. */
function watchFaults({ answered }: Load) {
  let lastAt: number | undefined;
  let first: Readonly<Record<string, number>> | undefined;
  let kinds: number | undefined;
  return {
    end: (): void => {
      lastAt = Date.now();
      const done = countsOf(answered);
      // There is no work between the first fault and itself.
      if (first === undefined) first = done;
      else kinds = KINDS.filter((kind) => (done[kind] ?? 0) > (first?.[kind] ?? 0)).length;
    },
    lastAt: (): number => lastAt ?? assert.fail("no fault has ended"),
    kindsBetween: (): Readonly<Record<string, number>> =>
      kinds === undefined ? {} : { "kinds of work between first and last fault": kinds },
  };
}

/** Goes on until every kind of work was done, or until the load has had its chance. */
async function untilComplete(load: Load): Promise<void> {
  const { counts } = load.answered;
  const [enough, until] = [counts.payments + MORE_PAYMENTS, Date.now() + MORE_MS];
  while (load.missing().length > 0 && counts.payments < enough && Date.now() < until) {
    load.check();
    await pause(20);
  }
}

/** A part of a run may not have used them all. */
async function withEvents(
  database: TestDatabase,
  merchants: readonly LoadMerchant[],
): Promise<readonly LoadMerchant[]> {
  const rows = await database.rows<{ id: string }>("select distinct merchant_id as id from events");
  return merchants.filter((merchant) => rows.some(({ id }) => id === merchant.id));
}

import assert from "node:assert/strict";
import { cloneDatabase, type TestDatabase } from "./database.ts";
import { eventually } from "./eventually.ts";
import { type GatewayProcess, startGatewayProcess } from "./gateway-process.ts";
import { type Answered, assertKept, countsOf } from "./mixed-load/answered.ts";
import type { LoadMerchant } from "./mixed-load/lane.ts";
import { type Load, openMerchants, startLoad } from "./mixed-load.ts";
import type { Proof } from "./proof.ts";
import { assertSound, settle } from "./settle.ts";

export type RunningNode = Pick<GatewayProcess, "shop" | "kill"> & Partial<Pick<GatewayProcess, "log">>;

/** Nodes on one database, and the load on them. Faults may remove and add nodes. */
export type FaultRun = {
  readonly database: TestDatabase;
  readonly nodes: RunningNode[];
  readonly load: Load;
  /** What other loads on the database were answered; none of it may be lost either. */
  readonly others: Answered[];
  /** Waits until gateways have answered so many payments more. */
  readonly untilPaid: (payments: number) => Promise<void>;
  /** A fault ends now; the minute counts from the last one. Without it, the last fault ends with the injection. */
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
  /** One of several runs: the caller checks that they have done everything together. */
  readonly isPart?: boolean;
};

const NODES = 2;
const MERCHANTS = 3;
/** So many lanes have a merchant of their own, whose requests, authorisations and disputes expire. */
const AHEAD = 2;
/** After so many, a load has done everything that it can do. */
const ENOUGH_PAYMENTS = 35;

/**
 * Injects faults under mixed load. Then everything settles within a minute, the ledgers agree, the invariants hold and
 * nothing that was answered is lost. Returns how many steps were interrupted, and what the load has not done.
 */
export async function proveUnderLoad(
  proof: Proof,
  { random, startNode = (on) => startGatewayProcess(on), lanes = 6, ...options }: FaultRunOptions,
  inject: (run: FaultRun) => Promise<void>,
): Promise<{ readonly interrupted: number; readonly missing: ReturnType<Load["missing"]> }> {
  const database = options.database ?? (await cloneDatabase());
  const nodes: RunningNode[] = [];
  try {
    while (nodes.length < NODES) nodes.push(await startNode(database));
    const first = (nodes[0] as RunningNode).shop;
    // Each has a lane, and so events.
    const merchants = await openMerchants(database, first, Math.min(MERCHANTS, lanes));
    const ahead = await openMerchants(database, first, Math.min(AHEAD, lanes));
    const load = startLoad({
      nodes: () => nodes.map(({ shop }) => shop),
      merchants,
      ahead,
      random,
      lanes,
      movesClocks: options.movesClocks ?? true,
      onInterruption: options.onInterruption ?? (() => {}),
    });
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
    let lastFaultAt: number | undefined;
    const faultEnds = () => {
      lastFaultAt = Date.now();
    };
    try {
      await inject({ database, nodes, load, others, untilPaid, faultEnds });
    } catch (error) {
      await load.stop().catch(() => {});
      throw error;
    }
    lastFaultAt ??= Date.now();
    await load.stop();
    const seconds = await settle(database, lastFaultAt).catch(async (error: unknown) => {
      throw new Error(`${String(error)}\n${await describe(database, nodes)}`);
    });
    proof.most({ "seconds to settle": seconds });
    const active = [...merchants, ...(await withEvents(database, ahead))];
    await assertSound(database, load.answered, { merchants: active, node: (nodes[0] as RunningNode).shop });
    for (const answered of others) await assertKept(database, answered);
    const { payments, requests, interrupted } = counts;
    proof.count({ payments, requests, "interrupted steps": interrupted, ...countsOf(load.answered) });
    const missing = load.missing();
    if (payments >= ENOUGH_PAYMENTS && options.isPart !== true)
      assert.deepEqual(missing, [], `not done in a load of ${payments} payments`);
    return { interrupted, missing };
  } finally {
    for (const node of nodes) await node.kill();
    if (options.database === undefined) await database.drop();
  }
}

/** A short run may not have used them all. */
async function withEvents(
  database: TestDatabase,
  merchants: readonly LoadMerchant[],
): Promise<readonly LoadMerchant[]> {
  const rows = await database.rows<{ id: string }>("select distinct merchant_id as id from events");
  return merchants.filter((merchant) => rows.some(({ id }) => id === merchant.id));
}

/** What helps to understand why something stays unsettled. */
async function describe(database: TestDatabase, nodes: readonly RunningNode[]): Promise<string> {
  const overdue = await database.rows(
    "select * from deliveries where status = 'pending' order by due_at limit 3",
  );
  const jobs = await database.rows("select * from jobs where due_at < now() order by due_at limit 3");
  const leases = await database.rows("select *, now() from delivery_leases");
  const facts = [JSON.stringify({ overdue, jobs, leases })];
  for (const { shop, log } of nodes) {
    const answer = await fetch(`${shop.baseUrl.replace("localhost", "127.0.0.1")}/metrics`).catch(
      () => undefined,
    );
    const lines = (await answer?.text())?.split("\n") ?? [];
    facts.push(
      ...lines.filter((line) => /^tidegate_(?:webhook|jobs|database)/.test(line)),
      log?.().slice(-3_000) ?? "",
    );
  }
  return facts.join("\n");
}

import { cloneDatabase, type TestDatabase } from "./database.ts";
import { eventually } from "./eventually.ts";
import { type GatewayProcess, startGatewayProcess } from "./gateway-process.ts";
import { type Load, openMerchants, startLoad } from "./mixed-load.ts";
import type { Proof } from "./proof.ts";
import { assertSound, settle } from "./settle.ts";

export type RunningNode = Pick<GatewayProcess, "shop" | "kill">;

/** Nodes on one database, and the load on them. Faults may remove and add nodes. */
export type FaultRun = {
  readonly database: TestDatabase;
  readonly nodes: RunningNode[];
  readonly load: Load;
  /** Waits until gateways have answered so many payments more. */
  readonly untilPaid: (payments: number) => Promise<void>;
};

export type FaultRunOptions = {
  readonly random: () => number;
  /** Without it, a new database, which is dropped at the end. */
  readonly database?: TestDatabase;
  readonly startNode?: (database: TestDatabase) => Promise<RunningNode>;
  readonly lanes?: number;
  readonly movesClocks?: boolean;
  readonly onInterruption?: (error: unknown) => void;
};

const NODES = 2;
/** On a machine that is busy otherwise, too. */
const PAID_WITHIN_MS = 120_000;

/**
 * Injects faults under mixed load. Then everything settles within a minute, the ledgers agree, the invariants hold and
 * nothing that was answered is lost.
 */
export async function proveUnderLoad(
  proof: Proof,
  { random, startNode = (on) => startGatewayProcess(on), lanes = 6, ...options }: FaultRunOptions,
  inject: (run: FaultRun) => Promise<void>,
): Promise<void> {
  const database = options.database ?? (await cloneDatabase());
  const nodes: RunningNode[] = [];
  try {
    while (nodes.length < NODES) nodes.push(await startNode(database));
    const first = (nodes[0] as RunningNode).shop;
    const merchants = await openMerchants(database, first, 3);
    const load = startLoad({
      nodes: () => nodes.map(({ shop }) => shop),
      merchants,
      random,
      lanes,
      movesClocks: options.movesClocks ?? true,
      onInterruption: options.onInterruption ?? (() => {}),
    });
    const { counts } = load.answered;
    const untilPaid = async (payments: number) => {
      const enough = counts.payments + payments;
      await eventually(
        `${payments} payments more are answered`,
        async () => {
          load.check();
          return counts.payments >= enough;
        },
        PAID_WITHIN_MS,
      );
    };
    try {
      await inject({ database, nodes, load, untilPaid });
    } catch (error) {
      await load.stop().catch(() => {});
      throw error;
    }
    const lastFaultAt = Date.now();
    await load.stop();
    proof.most({ "seconds to settle": await settle(database, lastFaultAt) });
    await assertSound(database, load.answered, { merchants, node: (nodes[0] as RunningNode).shop });
    const { payments, requests, interrupted } = counts;
    proof.count({ payments, requests, "interrupted steps": interrupted });
  } finally {
    for (const node of nodes) await node.kill();
    if (options.database === undefined) await database.drop();
  }
}

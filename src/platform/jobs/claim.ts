import type { Instant } from "../../kernel/time.ts";
import { overAllServers } from "../db/by-merchant.ts";
import type { Tx } from "../db/database.ts";
import { type Candidate, claimJobs, type Job, listDue, listDueByMerchant, listMerchants } from "./queries.ts";

/** How many jobs one claim takes at most. */
const BATCH = 64;
/** So many jobs of one kind and merchant run at a time on a node: a slow acquirer delays its own merchant only. */
const PER_MERCHANT = 32;
/** So many jobs are in flight on a node. One that waits for a bank holds no database connection. */
const IN_FLIGHT = 1_024;
/** One kind and merchant gets no more than this part of what is free: many merchants of one silent bank leave room. */
const PART_OF_FREE = 1 / 8;
/** Merchants that one fair turn looks at, and how many such pages it may turn until it finds work. */
const MERCHANTS = 500;
const PAGES = 4;
/** In a distributed database, where each merchant takes a statement of its own. */
const MERCHANTS_OF_SERVERS = 64;

/** The jobs of this node that are claimed and not finished. */
export type InFlight = {
  readonly total: () => number;
  readonly ofMerchant: (kind: string, merchantId: string) => number;
};

export type Claimer = (tx: Tx, now: Instant, leasedUntil: Instant) => Promise<Claim>;
export type Claim = {
  readonly jobs: readonly Job[];
  /** There is more that could run now. */
  readonly hasMore: boolean;
};

/**
 * Claims due jobs, the oldest first, each kind in turn. While more are due than one claim takes, every second claim
 * visits the merchants in turn instead, so that a merchant with one job does not wait behind another's three hundred
 * thousand. So does every claim while a server of a distributed database is away.
 */
export function createClaimer(kinds: readonly string[], inFlight: InFlight): Claimer {
  let isBacklog = false;
  let isFairTurn = false;
  let lastMerchant = "";

  const roomNow = () => Math.min(BATCH, IN_FLIGHT - inFlight.total());

  async function findOldest(tx: Tx, now: Instant): Promise<readonly Candidate[]> {
    const due = await listDue(tx, now, kinds, BATCH);
    const chosen = withinLimits(due, inFlight);
    isBacklog = due.length > chosen.length || due.length >= BATCH;
    return chosen;
  }

  async function findByMerchant(tx: Tx, now: Instant): Promise<readonly Candidate[]> {
    const room = roomNow();
    const perMerchant = limitOf(inFlight.total());
    const pageSize = ((await tx.isDistributed?.()) ?? false) ? MERCHANTS_OF_SERVERS : MERCHANTS;
    for (let page = 0; page < PAGES; page += 1) {
      const merchants = await listMerchants(tx, lastMerchant, pageSize);
      const pairs = merchants
        .flatMap((merchantId) => kinds.map((kind) => ({ kind, merchantId })))
        .filter(({ kind, merchantId }) => inFlight.ofMerchant(kind, merchantId) < perMerchant);
      const chosen = withinLimits(await listDueByMerchant(tx, now, pairs), inFlight);
      // Without room for more, the next turn goes on with the merchants that got none of it.
      const isFull = chosen.length >= room;
      const isLastPage = !isFull && merchants.length < pageSize;
      const last = isFull ? chosen.at(-1)?.merchantId : merchants.at(-1);
      lastMerchant = isLastPage ? "" : (last ?? "");
      if (chosen.length > 0 || isLastPage) return chosen;
    }
    return [];
  }

  async function find(tx: Tx, now: Instant): Promise<readonly Candidate[]> {
    isFairTurn = isBacklog && !isFairTurn;
    if (isFairTurn) return findByMerchant(tx, now);
    const chosen = await overAllServers(
      tx,
      () => findOldest(tx, now),
      async () => {
        const found = await findByMerchant(tx, now);
        // There are more merchants to visit.
        isBacklog = lastMerchant !== "";
        isFairTurn = true;
        return found;
      },
    );
    if (chosen.length > 0 || isFairTurn || !isBacklog) return chosen;
    // Everything old belongs to merchants that are at their limit.
    return findByMerchant(tx, now);
  }

  return async (tx, now, leasedUntil) => {
    if (roomNow() <= 0) return { jobs: [], hasMore: false };
    const chosen = await find(tx, now);
    if (chosen.length === 0) return { jobs: [], hasMore: false };
    const jobs = await claimJobs(tx, chosen, now, leasedUntil);
    return { jobs, hasMore: isBacklog };
  };
}

/** How many jobs of one kind and merchant may be in flight. One always may, while there is room. */
function limitOf(total: number): number {
  return Math.min(PER_MERCHANT, Math.max(1, Math.floor((IN_FLIGHT - total) * PART_OF_FREE)));
}

/** As many of the candidates as the limits leave room for, in their order. */
function withinLimits(candidates: readonly Candidate[], inFlight: InFlight): readonly Candidate[] {
  const total = inFlight.total();
  const room = Math.min(BATCH, IN_FLIGHT - total);
  const counts = new Map<string, number>();
  const chosen: Candidate[] = [];
  for (const candidate of candidates) {
    const { kind, merchantId } = candidate;
    const pair = `${kind} ${merchantId}`;
    const count = counts.get(pair) ?? inFlight.ofMerchant(kind, merchantId);
    if (chosen.length >= room || count >= limitOf(total + chosen.length)) continue;
    counts.set(pair, count + 1);
    chosen.push(candidate);
  }
  return chosen;
}

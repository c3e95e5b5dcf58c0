import type { Tx } from "./database.ts";
import { isDatabaseAway, isServerAway } from "./errors.ts";

/** How many merchants' statements run at once: the process has other work for its connections. */
const AT_ONCE = 8;

type OfMerchant = { readonly merchantId: string };

/**
 * Runs a statement about rows of several merchants: once for all of them, or once for each where their rows lie on
 * different servers. There the statement takes one merchant's items at a time, and its text for distributed databases says
 * so.
 */
export async function byMerchant<Item extends OfMerchant, Row>(
  tx: Tx,
  items: readonly Item[],
  run: (items: readonly Item[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  return (await settleByMerchant(tx, items, run)).rows;
}

/** The same. Where `tx` has `outages`, `left` are the items of merchants whose server is away; other errors are thrown. */
export async function settleByMerchant<Item extends OfMerchant, Row>(
  tx: Tx,
  items: readonly Item[],
  run: (items: readonly Item[]) => Promise<readonly Row[]>,
): Promise<{ readonly rows: readonly Row[]; readonly left: readonly Item[] }> {
  if (!(await isDistributed(tx))) return { rows: await run(items), left: [] };
  const groups = [...Map.groupBy(items, ({ merchantId }) => merchantId).values()];
  const left: Item[] = [];
  const runOne = async (group: readonly Item[]) => {
    try {
      return await run(group);
    } catch (error) {
      if (tx.outages === undefined || !isDatabaseAway(error)) throw error;
      tx.outages.note(error);
      left.push(...group);
      return [];
    }
  };
  const rows: (readonly Row[])[] = [];
  const next = groups.entries();
  const runNext = async () => {
    for (const [place, group] of next) rows[place] = await runOne(group);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runNext));
  return { rows: rows.flat(), left };
}

/** Runs a statement over all servers. If one is away, and `tx` has `outages`, `instead` does what it can without it. */
export async function overAllServers<Result>(
  tx: Tx,
  all: () => Promise<Result>,
  instead: () => Promise<Result>,
): Promise<Result> {
  if (tx.outages === undefined || !(await isDistributed(tx))) return all();
  return tx.outages.around(all, instead, isDatabaseAway);
}

/**
 * For a statement whose rows lie on one server, but whose parts Citus sends to all of them: an insert of rows that another
 * part of it has found. If a server is away, `instead` does the same with statements of one server. It looks at the state
 * first: the statement may have been committed.
 */
export async function orOnOneServer<Result>(
  all: () => Promise<Result>,
  instead: () => Promise<Result>,
): Promise<Result> {
  try {
    return await all();
  } catch (error) {
    if (!isServerAway(error)) throw error;
    return instead();
  }
}

/** Rows of several merchants: of all of them, or merchant by merchant while a server is away. */
export async function ofMerchants<Row>(
  tx: Tx,
  merchantIds: readonly string[],
  ofAll: () => Promise<readonly Row[]>,
  ofOne: (merchantId: string) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const items = merchantIds.map((merchantId) => ({ merchantId }));
  const runOne = async ([item]: readonly OfMerchant[]) => (item === undefined ? [] : ofOne(item.merchantId));
  return overAllServers(tx, ofAll, () => byMerchant(tx, items, runOne));
}

async function isDistributed(tx: Tx): Promise<boolean> {
  return (await tx.isDistributed?.()) ?? false;
}

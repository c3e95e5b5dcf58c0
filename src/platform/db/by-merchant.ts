import type { Tx } from "./database.ts";

/**
 * Runs a statement about rows of several merchants: once for all of them, or once for each where their rows lie on
 * different servers. There the statement takes one merchant's items at a time, and its text for distributed databases says
 * so.
 */
export async function byMerchant<Item extends { readonly merchantId: string }, Row>(
  tx: Tx,
  items: readonly Item[],
  run: (items: readonly Item[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  if (!((await tx.isDistributed?.()) ?? false)) return run(items);
  const groups = Map.groupBy(items, ({ merchantId }) => merchantId);
  return (await Promise.all([...groups.values()].map(run))).flat();
}

import type { JournalPosition } from "../../connectors/ports/card-acquirer.ts";
import { ID_PREFIXES, idFloor } from "../../kernel/ids.ts";
import { instant, later } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { AcquirerAccount } from "../acquirer-accounts/index.ts";
import { findMerchant } from "../merchants/index.ts";
import { type Difference, differenceOf, type GatewayPosition } from "./difference.ts";
import { type Portion, readRefunds, readTransactions } from "./queries.ts";

const PAGE = 500;

/**
 * Compares the gateway's payments and refunds at an account with the connector's journal, to the cent. Both sides are read
 * in the order of their references, page by page, so that neither memory nor a statement grows with the number of records. What is older
 * than the journal is left out: references begin with the time. Ends at `atMost` differences. Undefined for a connector without a journal.
 */
export async function reconcileAccount(
  ctx: Context,
  { id: accountId, merchantId }: Pick<AcquirerAccount, "id" | "merchantId">,
  atMost: number,
): Promise<readonly Difference[] | undefined> {
  const merchant = await findMerchant(ctx.db, merchantId);
  if (merchant === undefined) throw new Error("an acquirer account has no merchant");
  const { host } = await ctx.acquirers.get(merchant, accountId);
  const { listPositions, journalKeptMs } = host;
  if (listPositions === undefined) return undefined;
  const owner = { merchantId, accountId };
  const since = journalKeptMs === undefined ? instant(0) : later(clockOf(ctx, merchant), -journalKeptMs);
  const differences: Difference[] = [];
  for (const [noun, read] of [
    ["refund", readRefunds],
    ["transaction", readTransactions],
  ] as const) {
    const from = idFloor(noun, since);
    const journal = walk<JournalPosition>(listPositions, from, `${ID_PREFIXES[noun]}_`);
    const records = walkRecords((after) => read(ctx.db, owner, after), from);
    for await (const [reference, record, position] of pairs(records, journal)) {
      const difference = differenceOf(reference, record, position);
      if (difference !== undefined) differences.push(difference);
      if (differences.length >= atMost) return differences;
    }
  }
  return differences;
}

type Listed = { readonly reference: string };

/** The account's records after the given reference. A portion may have none of them. */
async function* walkRecords(
  read: (after: string) => Promise<Portion>,
  from: string,
): AsyncGenerator<GatewayPosition> {
  for (let after: string | undefined = from; after !== undefined; ) {
    const portion: Portion = await read(after);
    yield* portion.positions;
    after = portion.last;
  }
}

/** All that is listed after the given reference, as long as references have the prefix. */
async function* walk<One extends Listed>(
  list: (after: string, limit: number) => Promise<readonly One[]>,
  from: string,
  prefix: string,
): AsyncGenerator<One> {
  let after = from;
  for (;;) {
    const page = await list(after, PAGE);
    for (const one of page) {
      if (!one.reference.startsWith(prefix)) return;
      yield one;
    }
    after = page.at(-1)?.reference ?? after;
    if (page.length < PAGE) return;
  }
}

/** Merges two walks by reference. */
async function* pairs<Left extends Listed, Right extends Listed>(
  lefts: AsyncGenerator<Left>,
  rights: AsyncGenerator<Right>,
): AsyncGenerator<readonly [string, Left | undefined, Right | undefined]> {
  let left = (await lefts.next()).value as Left | undefined;
  let right = (await rights.next()).value as Right | undefined;
  while (left !== undefined || right !== undefined) {
    const isLeft = right === undefined || (left !== undefined && left.reference <= right.reference);
    const isRight = left === undefined || (right !== undefined && right.reference <= left.reference);
    const reference = (isLeft ? left?.reference : right?.reference) ?? "";
    yield [reference, isLeft ? left : undefined, isRight ? right : undefined];
    if (isLeft) left = (await lefts.next()).value as Left | undefined;
    if (isRight) right = (await rights.next()).value as Right | undefined;
  }
}

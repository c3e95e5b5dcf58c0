import { parseId } from "../../../kernel/ids.ts";
import { refuse } from "../../../kernel/refusal.ts";
import { claimKey, finishKey } from "../../../platform/idempotency/claim-key.ts";
import { clockOf, type World } from "../../../platform/world.ts";
import type { RequestCaller } from "../../merchants/index.ts";
import { transactionPath } from "../present.ts";
import { findTransaction } from "../queries.ts";
import { authorisationEnd, type Transaction, totalOf } from "../transaction.ts";
import { beginMovement, finishMovement } from "./move-money.ts";
import type { Movement } from "./queries.ts";

/** Takes the money of an authorisation, all of it or a part, once. */
export async function captureTransaction(
  world: World,
  caller: RequestCaller,
  text: string,
  amount: number | undefined,
): Promise<Transaction> {
  return moveOnRequest(world, caller, text, (authorisation) => {
    const total = totalOf(authorisation);
    if (amount !== undefined && amount > total)
      refuse("transaction_capture_amount_conflict", "/payment/amount");
    return { kind: "capture", amount: amount ?? total };
  });
}

/** Gives an authorisation up before anything was taken. */
export async function cancelTransaction(
  world: World,
  caller: RequestCaller,
  text: string,
): Promise<Transaction> {
  return moveOnRequest(world, caller, text, () => ({ kind: "void", amount: 0 }));
}

async function moveOnRequest(
  world: World,
  caller: RequestCaller,
  text: string,
  decide: (authorisation: Transaction) => Pick<Movement, "kind" | "amount">,
): Promise<Transaction> {
  const id = parseId("transaction", text) ?? refuse("resource_not_found");
  const movement = await world.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id, path: transactionPath(id), goesOn: true });
    return beginMovement(world, tx, caller.merchant, id, (authorisation) => {
      // Its time is over also in the moment before a worker has given it up.
      if (authorisationEnd(authorisation) <= clockOf(world, caller.merchant))
        refuse("transaction_capture_state_conflict");
      return decide(authorisation);
    });
  });
  if (await finishMovement(world, caller.merchant, movement)) await finishKey(world, caller);
  return (await findTransaction(world.db, caller.merchantId, id)) ?? refuse("resource_not_found");
}

import { type Problem, refuse, refuseAll } from "../../kernel/refusal.ts";
import { type Instant, toIso } from "../../kernel/time.ts";
import { isCardholderName } from "../../platform/cards/cardholder-name.ts";
import { expiryProblems } from "../../platform/cards/check-card.ts";
import { plainDigits } from "../../platform/cards/plain-digits.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { Loose, Sound } from "../../platform/http/validate.ts";
import { claimKey } from "../../platform/idempotency/claim-key.ts";
import type { RequestCaller } from "../merchants/index.ts";
import { fitsName } from "./bank-account.ts";
import { instrumentChange } from "./instrument-change.ts";
import type { InstrumentIds } from "./instrument-ids.ts";
import { pairProblems } from "./metadata-rules.ts";
import {
  changedCard,
  changedInstrument,
  type InstrumentChange,
  type PaymentInstrument,
} from "./payment-instrument.ts";
import { instrumentPath } from "./present.ts";
import { findInstrument, lockInstrument, updateInstrument } from "./queries.ts";

/** Changes an instrument. A change to the same values publishes no event. */
export async function changeInstrument(
  ctx: Context,
  caller: RequestCaller,
  { customerId, paymentInstrumentId: id }: InstrumentIds,
  change: InstrumentChange,
): Promise<PaymentInstrument> {
  return ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id, path: instrumentPath({ customerId, id }) });
    const before =
      (await lockInstrument(tx, caller.merchantId, customerId, id)) ?? refuse("resource_not_found");
    const now = clockOf(ctx, caller.merchant);
    refuseAll(changeProblems(before, change, { now, sound: () => true }));
    const after = changedInstrument(before, change, now);
    if (after !== before) await updateInstrument(tx, after, instrumentChange(caller.mode, after));
    return after;
  });
}

/** What a change that has other problems would be refused for, too. An unknown instrument is none of them. */
export async function findChangeProblems(
  ctx: Context,
  { merchantId, merchant }: RequestCaller,
  { customerId, paymentInstrumentId }: InstrumentIds,
  { change, sound }: { readonly change: Loose<InstrumentChange>; readonly sound: Sound },
): Promise<readonly Problem[]> {
  const before = await findInstrument(ctx.db, merchantId, customerId, paymentInstrumentId);
  return before === undefined ? [] : changeProblems(before, change, { now: clockOf(ctx, merchant), sound });
}

/**
 * Problems of a change with this instrument. A changed month is checked with the stored year, and the other way round,
 * unless the other was sent, too, and refused.
 */
function changeProblems(
  before: PaymentInstrument,
  { bankAccount, card, metadata }: Loose<InstrumentChange>,
  { now, sound }: { readonly now: Instant; readonly sound: Sound },
): readonly Problem[] {
  if (before.type === "card") {
    const [year = 0, month = 0] = toIso(now).split("-").map(Number);
    const expires =
      (card?.expiryMonth !== undefined || card?.expiryYear !== undefined) &&
      sound("/card/expiryMonth") &&
      sound("/card/expiryYear");
    return [
      ...pairProblems(null, metadata),
      ...(bankAccount === undefined
        ? []
        : [{ code: "payment_instrument_type_mismatch", field: "/bankAccount" } as const]),
      ...(isCardholderName(plainDigits(card?.name ?? ""))
        ? []
        : [{ code: "card_name_invalid", field: "/card/name" } as const]),
      ...(expires ? expiryProblems(changedCard(before.card, card), { year, month }) : []),
    ];
  }
  const { accountName = "" } = bankAccount ?? {};
  return [
    ...pairProblems(before.bankAccount.bankName, metadata),
    ...(card === undefined ? [] : [{ code: "payment_instrument_type_mismatch", field: "/card" } as const]),
    ...(fitsName(before.bankAccount.country, accountName)
      ? []
      : [{ code: "payment_instrument_account_name_invalid", field: "/bankAccount/accountName" } as const]),
  ];
}

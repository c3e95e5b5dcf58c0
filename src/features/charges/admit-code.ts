import type { CardDetails } from "../../connectors/ports/card-acquirer.ts";
import type { Id } from "../../kernel/ids.ts";
import { refuseAll } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import { refuseRepeat } from "../../platform/idempotency/claim-key.ts";
import { SecretUnreadable } from "../../platform/vault/errors.ts";
import { admitAttempt, type Counts, countsOf } from "../card-testing/index.ts";
import type { RequestCaller } from "../merchants/index.ts";
import { getCharged } from "./charged-instrument.ts";
import { chargeProblems, refuseUnlessCapable } from "./new-charge.ts";
import { useCard } from "./use-card.ts";
import type { ChargeInput } from "./wire.ts";

/**
 * A stored card, opened for one charge with its security code, and what that charge was counted as. Without the card its number
 * can't be read: then nothing is sent.
 */
export type AdmittedCode = { readonly card?: CardDetails; readonly counts: Counts };

/**
 * Counts a charge with a security code on its card, together with the payments of the checkout: stored cards are no way to
 * try more codes. The other counters are about payers, and a merchant's server is none. Undefined for a bank account.
 */
export async function admitCode(
  ctx: Context,
  caller: RequestCaller,
  input: ChargeInput,
  id: Id<"transaction">,
): Promise<AdmittedCode | undefined> {
  const { merchant } = caller;
  const { cvn, ...named } = input.payment.instrument.customer;
  await refuseRepeat(ctx.db, caller);
  const instrument = await getCharged(ctx.db, caller, named);
  refuseAll(chargeProblems(instrument, input));
  refuseUnlessCapable(merchant, instrument);
  if (instrument.type !== "card" || cvn === undefined) return undefined;
  await ctx.vault.reachKeys(ctx.db, merchant.id);
  ctx.vault.admitCharge(merchant.id);
  const card = await useCard(ctx, instrument, { id, cvn }, async (opened) => opened).catch(
    (error: unknown) => {
      // The vault has logged it.
      if (error instanceof SecretUnreadable) return undefined;
      throw error;
    },
  );
  if (card === undefined) return { counts: [] };
  const counts = (await countsOf(ctx, merchant, { address: "", card })).filter(({ kind }) => kind === "card");
  await admitAttempt(ctx, merchant, counts, { threeDSecure: false });
  return { card, counts };
}

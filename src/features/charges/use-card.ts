import type { CardDetails } from "../../connectors/ports/card-acquirer.ts";
import { defined } from "../../kernel/defined.ts";
import type { Id } from "../../kernel/ids.ts";
import type { Context } from "../../platform/context.ts";
import { isToken, type PaymentInstrument, placeOf } from "../payment-instruments/index.ts";

export type StoredCard = Extract<PaymentInstrument, { type: "card" }>;

/** Takes a card's number out of the vault for one charge. Undefined, and nothing runs, when it is not kept any more. */
export function useCard<Result>(
  ctx: Context,
  instrument: StoredCard,
  { id, cvn }: { readonly id: Id<"transaction">; readonly cvn?: string },
  run: (card: CardDetails) => Promise<Result>,
): Promise<Result | undefined> {
  const { name, expiryMonth, expiryYear } = instrument.card;
  const isNetworkToken = isToken(instrument.card);
  return ctx.vault.use(ctx.db, placeOf(instrument), { purpose: "charge", subjectId: id }, (number) =>
    run(defined({ number, expiryMonth, expiryYear, name, securityCode: cvn, isNetworkToken })),
  );
}

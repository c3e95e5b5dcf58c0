import { defined } from "../../kernel/defined.ts";
import type { MaskedCard } from "../../kernel/masked-card.ts";
import type { Mode } from "../../kernel/mode.ts";
import { toIso } from "../../kernel/time.ts";
import type { Static } from "../../platform/http/schema.ts";
import { ok } from "../merchants/index.ts";
import type { BankAccount, PaymentInstrument } from "./payment-instrument.ts";
import type { PaymentInstrumentAnswer } from "./wire.ts";

type Wire = Static<typeof PaymentInstrumentAnswer>;

export function presentInstrument(one: PaymentInstrument, mode: Mode): Wire {
  return {
    id: one.id,
    customerId: one.customerId,
    reference: one.reference,
    type: one.type,
    createdDateTime: toIso(one.createdAt),
    updatedDateTime: toIso(one.updatedAt),
    ...(one.type === "card"
      ? { card: presentCard(one.card) }
      : { bankAccount: presentAccount(one.bankAccount) }),
    ...presentMetadata(one),
    result: ok(mode),
  };
}

function presentCard({ isNetworkToken: _, ...shown }: MaskedCard) {
  return shown;
}

function presentAccount({ accountName, bsb, number }: BankAccount) {
  return defined({ accountName, bsb, number });
}

/** The merchant's pairs and, of a bank account, the name of the bank. */
function presentMetadata({ bankAccount, metadata }: PaymentInstrument): Pick<Wire, "metadata"> {
  if (bankAccount !== null) return { metadata: { ...metadata, bankName: bankAccount.bankName } };
  return metadata === null ? {} : { metadata };
}

export function instrumentPath(one: Pick<PaymentInstrument, "customerId" | "id">): string {
  return `/customers/${one.customerId}/paymentinstruments/${one.id}`;
}

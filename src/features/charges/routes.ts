import type { Route } from "../../platform/http/route.ts";
import { type Caller, merchantRoute } from "../merchants/index.ts";
import { presentTransaction, TransactionAnswer } from "../transactions/index.ts";
import { chargeInstrument } from "./charge-instrument.ts";
import { chargedProblems } from "./charged-instrument.ts";
import { ChargeBody } from "./wire.ts";

export const chargeRoutes: readonly Route<Caller>[] = [
  merchantRoute({
    method: "POST",
    path: "/transactions",
    name: "createTransaction",
    group: "Transactions",
    summary: "Charge a stored payment instrument",
    about:
      "A card is charged at once. A bank account is debited later: the answer is `pending` and an event carries the outcome. No surcharge is added.",
    scope: "write",
    body: ChargeBody,
    lookUp: (body, { caller, ctx }) => chargedProblems(ctx, caller, body),
    answer: TransactionAnswer,
    refusals: [
      "charge_customer_id_invalid",
      "charge_payment_instrument_id_invalid",
      "charge_cvn_invalid",
      "charge_currency_invalid",
      "charge_capture_type_invalid",
      "charge_partial_approval_invalid",
      "charge_card_capability_missing",
      "charge_direct_debit_capability_missing",
      "checkout_acquirer_missing",
      "checkout_attempts_too_many",
      "vault_uses_too_many",
    ],
    example: {
      reference: "membership-2026-11",
      category: { frequency: "recurring" },
      payment: {
        amount: 2500,
        instrument: {
          customer: {
            id: "cus_…",
            paymentInstrumentId: "pi_…",
          },
        },
      },
    },
    run: async (ctx, { caller, body }) =>
      presentTransaction(await chargeInstrument(ctx, caller, body), caller.mode, ctx.settings),
  }),
];

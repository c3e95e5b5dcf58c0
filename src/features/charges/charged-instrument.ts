import { parseId } from "../../kernel/ids.ts";
import { type Problem, refuseAll } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Loose } from "../../platform/http/validate.ts";
import { findCustomer } from "../customers/index.ts";
import type { Caller } from "../merchants/index.ts";
import { findInstrument, isKnownInstrument, type PaymentInstrument } from "../payment-instruments/index.ts";
import { chargeProblems } from "./new-charge.ts";
import type { ChargeInput } from "./wire.ts";

const CUSTOMER = "/payment/instrument/customer";
const NO_CUSTOMER = { code: "charge_customer_id_invalid", field: `${CUSTOMER}/id` } as const;
const NO_INSTRUMENT = {
  code: "charge_payment_instrument_id_invalid",
  field: `${CUSTOMER}/paymentInstrumentId`,
} as const;

type Named = ChargeInput["payment"]["instrument"]["customer"];
type Found = { readonly instrument?: PaymentInstrument; readonly problems: readonly Problem[] };

/** An instrument that is unknown, deleted or another merchant's is an invalid field of the body, not a 404. */
export async function getCharged(tx: Tx, caller: Caller, named: Named): Promise<PaymentInstrument> {
  const { instrument, problems } = await findCharged(tx, caller, named);
  refuseAll(problems);
  return instrument as PaymentInstrument;
}

/** Problems with the customer and instrument of a charge, reported together with all others. */
export async function chargedProblems(
  ctx: Context,
  caller: Caller,
  input: Loose<ChargeInput>,
): Promise<readonly Problem[]> {
  const { instrument, problems } = await findCharged(
    ctx.db,
    caller,
    input.payment?.instrument?.customer ?? {},
  );
  return instrument === undefined ? problems : chargeProblems(instrument, input);
}

/** Looks for the instrument among its customer's. If the customer is unknown, among all: both fields may be wrong. */
async function findCharged(tx: Tx, { merchantId }: Caller, named: Loose<Named>): Promise<Found> {
  const customerId = parseId("customer", named.id ?? "");
  const id = parseId("paymentInstrument", named.paymentInstrumentId ?? "");
  const customer = customerId && (await findCustomer(tx, merchantId, customerId));
  if (customer !== undefined) {
    const instrument = id && (await findInstrument(tx, merchantId, customer.id, id));
    if (instrument !== undefined) return { instrument, problems: [] };
    return { problems: named.paymentInstrumentId === undefined ? [] : [NO_INSTRUMENT] };
  }
  const known =
    named.paymentInstrumentId === undefined || (id && (await isKnownInstrument(tx, merchantId, id)));
  return { problems: [...(named.id === undefined ? [] : [NO_CUSTOMER]), ...(known ? [] : [NO_INSTRUMENT])] };
}

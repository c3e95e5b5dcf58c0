import type { Call } from "../call.ts";
import type {
  ChangePaymentInstrumentBody,
  CreatePaymentInstrumentBody,
  Operations,
} from "../generated/api.ts";
import type { CallOptions } from "../options.ts";
import { eachOf, type FiltersOf } from "../pages.ts";
import { shown } from "../shown.ts";

type Query = Operations["listPaymentInstruments"]["query"];

export function paymentInstrumentsOf(call: Call) {
  const read = { reads: "getPaymentInstrument" } as const;
  return {
    /** Stores a bank account. Cards are stored by a checkout, with the payer's consent. */
    create: (customerId: string, body: CreatePaymentInstrumentBody, options?: CallOptions) => {
      const proof = shown<"createPaymentInstrument">("instrument", { reference: body.reference });
      return call(
        "createPaymentInstrument",
        { params: { customerId }, body, recovery: { ...read, proof } },
        options,
      );
    },
    get: (customerId: string, paymentInstrumentId: string, options?: CallOptions) =>
      call("getPaymentInstrument", { params: { customerId, paymentInstrumentId } }, options),
    update: (
      customerId: string,
      paymentInstrumentId: string,
      body: ChangePaymentInstrumentBody,
      options?: CallOptions,
    ) =>
      call(
        "changePaymentInstrument",
        {
          params: { customerId, paymentInstrumentId },
          body,
          recovery: { ...read, proof: shown("change", body) },
        },
        options,
      ),
    /** Its number is erased at once. */
    delete: (customerId: string, paymentInstrumentId: string, options?: CallOptions) =>
      call(
        "deletePaymentInstrument",
        { params: { customerId, paymentInstrumentId }, recovery: "gone" },
        options,
      ),
    list: (customerId: string, query?: Query, options?: CallOptions) =>
      call("listPaymentInstruments", { params: { customerId }, query }, options),
    listAll: (customerId: string, filters?: FiltersOf<"listPaymentInstruments">, options?: CallOptions) =>
      eachOf(call, "listPaymentInstruments", { params: { customerId }, filters }, options),
  };
}

import type { Mode } from "../../kernel/mode.ts";
import { toIso } from "../../kernel/time.ts";
import { ok } from "../merchants/index.ts";
import type { Customer } from "./customer.ts";
import type { CustomerInstruments } from "./customer-instruments.ts";
import type { CustomerWire } from "./wire.ts";

export function presentCustomer(
  customer: Customer,
  instruments: CustomerInstruments,
  mode: Mode,
): CustomerWire {
  return {
    id: customer.id,
    reference: customer.reference,
    name: customer.name,
    ...(customer.email === null ? {} : { email: maskedEmail(customer.email) }),
    ...(customer.metadata === null ? {} : { metadata: customer.metadata }),
    createdDateTime: toIso(customer.createdAt),
    updatedDateTime: toIso(customer.updatedAt),
    count: instruments.count,
    paymentInstruments: [...instruments.newest],
    result: ok(mode),
  };
}

/** First character, ten X, the domain. */
export function maskedEmail(email: string): string {
  return `${email.charAt(0)}XXXXXXXXXX${email.slice(email.lastIndexOf("@"))}`;
}

export function customerPath(id: string): string {
  return `/customers/${id}`;
}

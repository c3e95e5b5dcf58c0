import type { Id } from "../../kernel/ids.ts";
import { changeTime, type Instant } from "../../kernel/time.ts";

/** A payer whom a merchant wants to charge again. */
export type Customer = {
  readonly id: Id<"customer">;
  readonly merchantId: Id<"merchant">;
  readonly reference: string;
  readonly name: string;
  /** Null if a checkout created the customer without an e-mail address. */
  readonly email: string | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

export type CustomerFacts = {
  readonly name: string;
  readonly email: string | null;
  readonly reference?: string | undefined;
};

export type CustomerChange = { readonly [name in keyof CustomerFacts]?: string | undefined };

/** A new customer. Its reference defaults to its id. */
export function newCustomer(
  merchantId: Id<"merchant">,
  id: Id<"customer">,
  { name, email, reference = id }: CustomerFacts,
  now: Instant,
): Customer {
  return { id, merchantId, reference, name, email, createdAt: now, updatedAt: now };
}

/** The customer after a change; the same object if nothing differs. */
export function changedCustomer(customer: Customer, change: CustomerChange, now: Instant): Customer {
  const {
    name = customer.name,
    email = customer.email ?? undefined,
    reference = customer.reference,
  } = change;
  const same =
    name === customer.name && (email ?? null) === customer.email && reference === customer.reference;
  if (same) return customer;
  const updatedAt = changeTime(now, customer.updatedAt);
  return { ...customer, name, email: email ?? null, reference, updatedAt };
}

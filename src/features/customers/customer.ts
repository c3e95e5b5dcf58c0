import { type Id, idMoment } from "../../kernel/ids.ts";
import { changedMetadata, type Metadata, metadataOf } from "../../kernel/metadata.ts";
import { changeTime, type Instant, latest } from "../../kernel/time.ts";

/** A payer whom a merchant wants to charge again. */
export type Customer = {
  readonly id: Id<"customer">;
  readonly merchantId: Id<"merchant">;
  readonly reference: string;
  readonly name: string;
  /** Null if a checkout created the customer without an e-mail address. */
  readonly email: string | null;
  readonly metadata: Metadata | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

export type CustomerFacts = {
  readonly name: string;
  readonly email: string | null;
  readonly reference?: string | undefined;
  readonly metadata?: Metadata | undefined;
};

export type CustomerChange = {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly reference?: string | undefined;
  readonly metadata?: Metadata | undefined;
};

/**
 * A new customer. Its reference defaults to its id. Lists find it by the moment in its id, so that is when it was created;
 * a checkout that stores a card chooses the id when the payment begins.
 */
export function newCustomer(
  merchantId: Id<"merchant">,
  id: Id<"customer">,
  { name, email, reference = id, metadata }: CustomerFacts,
  now: Instant,
): Customer {
  const pairs = metadataOf(metadata);
  const createdAt = idMoment(id);
  const updatedAt = latest(now, createdAt);
  return { id, merchantId, reference, name, email, metadata: pairs, createdAt, updatedAt };
}

/** The customer after a change; the same object if nothing differs. */
export function changedCustomer(customer: Customer, change: CustomerChange, now: Instant): Customer {
  const {
    name = customer.name,
    email = customer.email ?? undefined,
    reference = customer.reference,
  } = change;
  const metadata = changedMetadata(customer.metadata, change.metadata);
  const same =
    name === customer.name &&
    (email ?? null) === customer.email &&
    reference === customer.reference &&
    metadata === customer.metadata;
  if (same) return customer;
  const updatedAt = changeTime(now, customer.updatedAt);
  return { ...customer, name, email: email ?? null, reference, metadata, updatedAt };
}

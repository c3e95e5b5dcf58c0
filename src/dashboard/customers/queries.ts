import { type ChangingRow, equal, type Listing, METADATA } from "../shell/lists/listing.ts";

export type CustomerRow = ChangingRow & {
  readonly reference: string;
  readonly name: string;
  readonly email: string | null;
};

export const CUSTOMERS: Listing<CustomerRow> = {
  name: "customers",
  noun: "customer",
  table: "customers",
  columns: `id, reference, name, email, created_at as "createdAt", updated_at as "updatedAt"`,
  filters: {
    reference: equal("reference", "r", true),
    email: { sql: "lower(email) = lower(?)", isIndexed: true, short: "e" },
    metadata: METADATA,
  },
  search: { reference: "reference = ?", email: "lower(email) = lower(?)" },
  sorts: { reference: "reference" },
};

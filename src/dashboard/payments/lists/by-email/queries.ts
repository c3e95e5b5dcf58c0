import { entriesOf } from "../../../shell/lists/index-walks/queries.ts";
import type { IndirectSearch } from "../../../shell/lists/listing.ts";

const EMAIL = "lower(:value)";

/** Each purchase that stores a card makes a customer, so a payer may be many. */
const CUSTOMERS = entriesOf("customers", ["lower(email)", EMAIL]);
const attemptsOfCustomer = (columns: string) =>
  entriesOf("transactions", ["customer_id", "customer.id"], columns);
const isTheirs = (customerId: string) => `exists (select from customers where merchant_id = $1
  and id = ${customerId} and lower(email) = ${EMAIL} offset 0)`;

export const TRANSACTIONS_BY_EMAIL: IndirectSearch = {
  ids: `select attempt.id from ${CUSTOMERS} as customer left join lateral ${attemptsOfCustomer("id")} as attempt on true`,
  fits: isTheirs("passed.customer_id"),
};

/** By an attempt to pay them. */
export const REQUESTS_BY_EMAIL: IndirectSearch = {
  ids: `select attempt.id from ${CUSTOMERS} as customer
    left join lateral ${attemptsOfCustomer("payment_request_id as id")} as attempt on true`,
  fits: `exists (select from transactions t where t.merchant_id = $1 and t.payment_request_id = passed.id
    and ${isTheirs("t.customer_id")} offset 0)`,
};

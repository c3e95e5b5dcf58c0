import { entriesOf } from "../../../shell/lists/index-walks/queries.ts";
import type { IndirectSearch } from "../../../shell/lists/listing.ts";

const EMAIL = "lower(:value)";

/** Each purchase that stores a card makes a customer, so a payer may be many. */
const CUSTOMERS = entriesOf({ table: "customers", expression: "lower(email)", value: EMAIL });
const isTheirs = (customerId: string) => `exists (select from customers where merchant_id = $1
  and id = ${customerId} and lower(email) = ${EMAIL} offset 0)`;

/** The merchant may give the address with the request, whether a card is stored or not. */
const GIVEN = "lower(details -> 'customerRequest' ->> 'email')";
const REQUESTS = entriesOf({
  table: "payment_requests",
  expression: GIVEN,
  value: EMAIL,
  condition: `strpos(details::text, '"email"') > 0`,
});

const attemptsOf = (expression: string, value: string, columns = "id") =>
  entriesOf({ table: "transactions", expression, value, columns });

export const TRANSACTIONS_BY_EMAIL: IndirectSearch = {
  ids: `select attempt.id from ${CUSTOMERS} as customer left join lateral ${attemptsOf("customer_id", "customer.id")} as attempt on true
    union all
    select attempt.id from ${REQUESTS} as request
    left join lateral ${attemptsOf("payment_request_id", "request.id")} as attempt on true`,
  fits: `${isTheirs("passed.customer_id")} or exists (select from payment_requests where merchant_id = $1
    and id = passed.payment_request_id and ${GIVEN} = ${EMAIL} offset 0)`,
};

export const REQUESTS_BY_EMAIL: IndirectSearch = {
  ids: `select attempt.id from ${CUSTOMERS} as customer
    left join lateral ${attemptsOf("customer_id", "customer.id", "payment_request_id as id")} as attempt on true
    union all
    select id from ${REQUESTS} as request`,
  fits: `${GIVEN} = ${EMAIL} or exists (select from transactions t where t.merchant_id = $1 and t.payment_request_id = passed.id
    and ${isTheirs("t.customer_id")} offset 0)`,
};

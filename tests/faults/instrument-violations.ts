import type { PlantedViolation } from "../support/planted-violations.ts";
import type { Made } from "./pay-violations.ts";

const firstEventOf = (id: string, statement: string) =>
  `${statement} (select min(id) from events where resource_id = '${id}')`;

/** At least one planted violation per rule about customers and what they stored. */
export const PLANTED_INSTRUMENTS: readonly PlantedViolation<Made>[] = [
  [
    "I9",
    "a customer changes without an event",
    (made) => `update customers set updated_at = updated_at + interval '1 s' where id = '${made.customer}'`,
  ],
  [
    "I9",
    "a deleted instrument is restored",
    (made) => `update payment_instruments set deleted_at = null where id = '${made.deletedAccount}'`,
  ],
  [
    "I9",
    "the creation of a customer that was changed has no event",
    (made) => firstEventOf(made.customer, "delete from events where id in"),
  ],
  [
    "I9",
    "the creation of an account that was deleted has no event",
    (made) => firstEventOf(made.deletedAccount, "delete from events where id in"),
  ],
  [
    "I9",
    "the event of a customer and the event of its card have different moments",
    () =>
      `update events set body = regexp_replace(body, '"updatedDateTime":"[^"]+"', '"updatedDateTime":"2036-01-01T00:00:00Z"')
       where event = 'payment_instruments' and resource_id in (select id from payment_instruments where type = 'card')`,
  ],
  [
    "I9",
    "a customer was created at another moment",
    (made) => `update customers set created_at = created_at - interval '1 s' where id = '${made.customer}'`,
  ],
  [
    "I9",
    "an account that did not change has a second event",
    (made) =>
      `insert into events select merchant_id, id || 'x', event, resource_id, created_at,
         regexp_replace(body, '"updatedDateTime":"[^"]+"', '"updatedDateTime":"2036-01-01T00:00:00Z"')
       from events where resource_id = '${made.account}'`,
  ],
  [
    "I9",
    "an account changes after its deletion",
    (made) =>
      `insert into events select merchant_id, id || 'x', event, resource_id, created_at, replace(body, 'Ann', 'Bob')
       from events where resource_id = '${made.deletedAccount}'`,
  ],
  [
    "I9",
    "two changes of a customer have the same time",
    (made) =>
      `update events set body = regexp_replace(body, '"updatedDateTime":"[^"]+"', '"updatedDateTime":"2026-01-01T00:00:00Z"')
       where resource_id = '${made.customer}'`,
  ],
  [
    "I15",
    "an account has no number in the vault",
    (made) => `delete from vault_secrets where instrument_id = '${made.account}'`,
  ],
  [
    "I15",
    "a deleted account still has its number",
    (made) =>
      `update vault_secrets set instrument_id = '${made.deletedAccount}' where instrument_id = '${made.account}'`,
  ],
  [
    "I14",
    "a card is stored without a payment",
    () =>
      `insert into payment_instruments select (jsonb_populate_record(null::payment_instruments, to_jsonb(one) ||
         '{"id":"pi_twin"}')).* from payment_instruments one where type = 'card'`,
  ],
  [
    "I14",
    "a card is stored after a failed 3D Secure",
    (made) => `update transactions set authentication = 'failed' where id = '${made.verified}'`,
  ],
  [
    "I14",
    "a declined attempt left a customer",
    (made) =>
      `update transactions set stores_instrument_id = replace('${made.customer}', 'cus_', 'pi_')
       where id = '${made.declined}'`,
  ],
  [
    "I14",
    "an approved payment stores nothing",
    (made) => `update transactions set stores_instrument_id = 'pi_missing' where id = '${made.paid}'`,
  ],
  [
    "I14",
    "a request names an instrument of another payment",
    (made) =>
      `update payment_requests set customer_id = '${made.customer}', payment_instrument_id = '${made.account}'
       where id = '${made.paidRequest}'`,
  ],
];

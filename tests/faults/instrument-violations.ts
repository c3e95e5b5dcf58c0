import type { PlantedViolation } from "../support/planted-violations.ts";
import type { Made } from "./pay-violations.ts";

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

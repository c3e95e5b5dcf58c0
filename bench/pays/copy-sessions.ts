import { NUMBER } from "../load/number.ts";
import { query } from "../stage/database.ts";

/** The secret of a prepared session; its number follows. */
export const SESSION_PREFIX = "bench-session-";

/** The part of an id that its copies share: prefix, time and count. The number replaces the rest. */
export function idPrefix(id: string): string {
  return id.slice(0, -NUMBER.length);
}

/**
 * Prepares sessions for payment, much faster than with three calls each: copies the rows that the gateway wrote for one
 * (request, its event and expiry job, initialised token), each with its own number.
 */
export async function copySessions(
  databaseUrl: string,
  openId: string,
  first: number,
  count: number,
): Promise<void> {
  await query(
    databaseUrl,
    `begin;
     create temporary table copies on commit drop as
       select lpad(n::text, ${NUMBER.length}, '0') as number,
         '${idPrefix(openId)}' || lpad(n::text, ${NUMBER.length}, '0') as request_id
       from generate_series(${first}, ${first + count - 1}) as n;

     insert into payment_requests
     select copy.* from payment_requests one, copies,
       jsonb_populate_record(one, jsonb_build_object('id', request_id)) copy
     where one.id = '${openId}';

     insert into one_time_tokens
     select copy.* from one_time_tokens one, copies,
       jsonb_populate_record(one, jsonb_build_object(
         'id', left(one.id, -${NUMBER.length}) || number, 'payment_request_id', request_id,
         'hash', sha256(convert_to('bench-token-' || number, 'UTF8')),
         'session_hash', sha256(convert_to('${SESSION_PREFIX}' || number, 'UTF8')))) copy
     where one.payment_request_id = '${openId}';

     insert into events
     select copy.* from events one, copies,
       jsonb_populate_record(one, jsonb_build_object(
         'id', left(one.id, -${NUMBER.length}) || number, 'resource_id', request_id)) copy
     where one.resource_id = '${openId}';

     insert into jobs (kind, merchant_id, subject_id, due_at, real_time)
     select kind, merchant_id, request_id, due_at, real_time from jobs, copies where subject_id = '${openId}';
     commit;`,
  );
}

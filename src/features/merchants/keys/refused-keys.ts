import { actingAs } from "../../../platform/audit/actor.ts";
import { record } from "../../../platform/audit/queries.ts";
import type { Context } from "../../../platform/context.ts";
import { createRateLimiter } from "../../../platform/http/rate-limit.ts";
import type { Caller } from "../caller.ts";

const PER_SECOND = 1 / 60;

/**
 * Records that a key came from an address where it does not work: it may be stolen. Once a minute for each key on this node,
 * so that a thief can't fill the audit log, and the request does not wait for it.
 */
export function createRefusedKeys({ db, log, now }: Pick<Context, "db" | "log" | "now">) {
  const limiter = createRateLimiter(PER_SECOND, now, 1);
  return ({ keyId, merchantId }: Caller, address: string): void => {
    if (!limiter.take(keyId).isAllowed) return;
    const entry = { act: "api_key_refused", merchantId, subjectId: keyId, detail: "address" } as const;
    actingAs({ actor: keyId, address }, () => record(db, entry, now())).catch((error: unknown) =>
      log.error({ merchantId, keyId, error }, "audit entry of a refused API key not written"),
    );
  };
}

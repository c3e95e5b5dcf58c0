import type { Body, FuzzRequest } from "./fuzz-request.ts";

/** Held by a request that turns one off: without them a valid payment is refused. */
export const CAPABILITIES = "capabilities";

/**
 * What accepted requests hold, or those on their way may soon: the resource they change, their idempotency key, the one
 * subscription to an event value. Who else holds the same explains a refusal.
 */
export function startClaims() {
  const held = new Map<string, number>();
  const freed = new Map<string, number>();
  let step = 0;
  const hold = (name: string, times: number) => held.set(name, (held.get(name) ?? 0) + times);
  const free = (name: string) => {
    step += 1;
    hold(name, -1);
    freed.set(name, step);
  };
  return {
    free,
    sending: (request: FuzzRequest) => {
      const own = claimsOf(request);
      step += 1;
      const began = step;
      for (const name of own) hold(name, 1);
      return (isAccepted: boolean): ReadonlySet<string> => {
        const read = [CAPABILITIES, String((Object(request.body) as Body)["paymentRequestId"])];
        const contested = [...own, ...read].filter(
          (name) => (held.get(name) ?? 0) > (own.has(name) ? 1 : 0) || (freed.get(name) ?? 0) > began,
        );
        if (!isAccepted) own.forEach(free);
        return new Set(contested);
      };
    },
  };
}

function claimsOf({ operationId, method, params, headers, body }: FuzzRequest): ReadonlySet<string> {
  if (method === "GET") return new Set();
  const { event, capabilities } = Object(body) as Body;
  const turnsOff = operationId === "changeAccount" && Object.values(Object(capabilities)).includes(false);
  return new Set([
    ...Object.values(params),
    ...[headers["x-idempotency-key"] ?? []].flat(),
    ...(operationId === "createWebhook" ? [String(event)] : []),
    ...(turnsOff ? [CAPABILITIES] : []),
  ]);
}

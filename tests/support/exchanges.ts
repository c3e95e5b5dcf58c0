import assert from "node:assert/strict";
import type { LookupAddress } from "node:dns";
import { after } from "node:test";
import type { Reach } from "../../src/platform/egress/address.ts";
import { createEgress, type Egress, type Exchange } from "../../src/platform/egress/egress.ts";

/** For servers that answer. A test of a slow one says a shorter time. */
export const WITHIN_MS = 30_000;

/** An egress for which every name has these addresses. `lookedUp` lists the names that were looked up. */
export function egressOf(
  addresses: readonly string[] | (() => readonly string[]),
): Egress & { lookedUp: string[] } {
  const lookedUp: string[] = [];
  const egress = createEgress(async (host): Promise<LookupAddress[]> => {
    lookedUp.push(host);
    const list = typeof addresses === "function" ? addresses() : addresses;
    return list.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  });
  after(egress.close);
  return { ...egress, lookedUp };
}

export const post = (
  egress: Egress,
  url: string,
  more: { reach?: Reach; withinMs?: number; body?: string } = {},
) =>
  egress.send({
    method: "POST",
    url,
    headers: { "content-type": "application/json" },
    body: "{}",
    reach: "public-and-loopback",
    withinMs: WITHIN_MS,
    ...more,
  });

export function assertFailed(exchange: Exchange, reason: string): void {
  assert.deepEqual([exchange.outcome, exchange.outcome === "failed" && exchange.reason], ["failed", reason]);
}

export function assertAnswered(exchange: Exchange, status: number, cut: boolean) {
  assert.ok(exchange.outcome === "answered", JSON.stringify(exchange));
  assert.deepEqual([exchange.status, exchange.isCut], [status, cut]);
  return exchange;
}

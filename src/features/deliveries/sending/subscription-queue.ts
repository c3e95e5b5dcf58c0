import { SECOND } from "../../../kernel/time.ts";
import type { DueDelivery } from "../delivery.ts";
import type { DueSubscription } from "./queries.ts";

/** The most requests in flight to one endpoint: one URL of one merchant. */
const PER_ENDPOINT = 4;

/**
 * Requests in flight count in one of two windows. A request that takes longer than a second, and every request to an
 * endpoint that was slow or failed the last time, counts in the slow window; so a hundred endpoints that hang take no
 * capacity from those that respond.
 */
export type Pace = "quick" | "slow";

/** A request counts as slow after this long. */
export const SLOW_AFTER = SECOND;

/** Deliveries that wait for one subscription. */
export type SubscriptionQueue = DueSubscription & {
  readonly deliveries: DueDelivery[];
  /** The database has more than was fetched. */
  hasMore: boolean;
  /** What the queue waits for: room in a window, the end of a request to its endpoint, or nothing. */
  waitsFor: Pace | "endpoint" | "nothing";
  url: string | undefined;
  endpoint: Endpoint | undefined;
};

export type Endpoint = {
  inFlight: number;
  /** Resources with a request in flight: one version at a time keeps their order. */
  readonly resources: Set<string>;
  /** The last request was slow or failed. */
  isSuspect: boolean;
  /** Queues that can continue when a request to this endpoint ends. */
  readonly waiting: Set<SubscriptionQueue>;
};

export function newQueue({ merchantId, webhookId }: DueSubscription): SubscriptionQueue {
  return {
    merchantId,
    webhookId,
    deliveries: [],
    hasMore: false,
    waitsFor: "nothing",
    url: undefined,
    endpoint: undefined,
  };
}

export function newEndpoint(): Endpoint {
  return { inFlight: 0, resources: new Set(), isSuspect: false, waiting: new Set() };
}

export function paceOf(endpoint: Endpoint | undefined): Pace {
  return endpoint?.isSuspect === true ? "slow" : "quick";
}

/** Removes and returns the first delivery that may start now; undefined if the endpoint or the resources are busy. */
export function takeStartable(
  { deliveries }: SubscriptionQueue,
  { inFlight, resources }: Endpoint,
): DueDelivery | undefined {
  if (inFlight >= PER_ENDPOINT) return undefined;
  const index = deliveries.findIndex(({ resourceId }) => !resources.has(resourceId));
  // Almost always the first: to shift is cheaper than to splice.
  if (index === 0) return deliveries.shift();
  return index === -1 ? undefined : deliveries.splice(index, 1)[0];
}

export function startRequest(endpoint: Endpoint, { resourceId }: DueDelivery): void {
  endpoint.inFlight += 1;
  endpoint.resources.add(resourceId);
}

export function endRequest(endpoint: Endpoint, { resourceId }: DueDelivery): void {
  endpoint.inFlight -= 1;
  endpoint.resources.delete(resourceId);
}

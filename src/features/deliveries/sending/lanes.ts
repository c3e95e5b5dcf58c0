import type { DueDelivery } from "../delivery.ts";
import { createEndpoints } from "./endpoints.ts";
import { createEventsInProgress, type EventsInProgress } from "./events-in-progress.ts";
import type { DueSubscription } from "./queries.ts";
import {
  type Endpoint,
  endRequest,
  newQueue,
  type Pace,
  paceOf,
  SLOW_AFTER,
  type SubscriptionQueue,
  startRequest,
  takeStartable,
} from "./subscription-queue.ts";
import { createWindows } from "./windows.ts";

/** A queue with fewer deliveries than this requests more. */
const LOW = 50;

export type Lanes = {
  /** Queues fetched deliveries. `hasMore`: the subscription has more than was fetched. */
  readonly add: (subscription: DueSubscription, deliveries: readonly DueDelivery[], hasMore: boolean) => void;
  /** Whether the subscription's queue has room for more. */
  readonly isLow: (subscription: DueSubscription) => boolean;
  /** The events that must not be fetched again. */
  readonly eventsInProgress: EventsInProgress["idsOf"];
  /** Called when a delivery's outcome is written: from now on its event may be fetched again. */
  readonly forget: EventsInProgress["remove"];
  /** Drops the queues of a merchant; requests in flight continue. */
  readonly drop: (merchantId: string) => void;
  readonly dropAll: () => void;
  /** Starts as many deliveries as the windows allow. */
  readonly pump: () => void;
  readonly queued: () => number;
  readonly inHand: () => { readonly queued: number } & Readonly<Record<Pace, number>>;
  readonly isBusy: (merchantId: string) => boolean;
  /** Resolves when no request is in flight. */
  readonly idle: () => Promise<void>;
};

export type LaneParts = {
  /** The URL of the subscription; undefined while nothing may be sent to it. */
  readonly urlOf: (subscription: DueSubscription) => string | undefined;
  /** Makes one attempt; true if the endpoint acknowledged it. */
  readonly attempt: (delivery: DueDelivery, url: string) => Promise<boolean>;
  /** Called when a queue that has more in the database runs low. */
  readonly onLow: () => void;
};

/**
 * Queues per subscription, served in turn: at most four requests at once per endpoint, and one at a time per resource. A
 * queue that can't start waits at the cause, a window or its endpoint, so that the cost of a request's end does not
 * depend on the number of waiting queues.
 */
export function createLanes({ urlOf, attempt, onLow }: LaneParts): Lanes {
  const queues = new Map<string, SubscriptionQueue>();
  const endpoints = createEndpoints(queues);
  const windows = createWindows();
  const events = createEventsInProgress();
  const inFlightOf = createCounter();
  const idleListeners: (() => void)[] = [];
  let queued = 0;

  function queueOf(subscription: DueSubscription): SubscriptionQueue {
    const known = queues.get(subscription.webhookId);
    if (known !== undefined) return known;
    const queue = newQueue(subscription);
    queues.set(subscription.webhookId, queue);
    return queue;
  }

  function add(subscription: DueSubscription, deliveries: readonly DueDelivery[], hasMore: boolean): void {
    leaveOldUrl(subscription);
    if (deliveries.length === 0) return;
    const queue = queueOf(subscription);
    queue.deliveries.push(...deliveries);
    queue.hasMore = hasMore;
    queued += deliveries.length;
    events.add(subscription, deliveries);
    if (queue.waitsFor === "nothing" || queue.waitsFor === "endpoint") windows.lineUp(queue);
  }

  /** A queue must not wait for an endpoint that its subscription no longer uses. */
  function leaveOldUrl(subscription: DueSubscription): void {
    const queue = queues.get(subscription.webhookId);
    if (queue?.waitsFor === "endpoint" && queue.url !== urlOf(subscription)) windows.lineUp(queue);
  }

  function empty({ deliveries }: SubscriptionQueue): void {
    queued -= deliveries.length;
    for (const delivery of deliveries.splice(0)) events.remove(delivery);
  }

  /** Starts one delivery of the queue whose turn it is, and lets the queue wait for its next turn. */
  function serve(queue: SubscriptionQueue, pace: Pace): void {
    queue.waitsFor = "nothing";
    const endpoint = endpoints.of(queue, urlOf(queue));
    if (endpoint === undefined) empty(queue);
    if (endpoint === undefined || queue.deliveries.length === 0) {
      queues.delete(queue.webhookId);
      return;
    }
    if (paceOf(endpoint) !== pace) {
      windows.lineUp(queue);
      return;
    }
    const delivery = takeStartable(queue, endpoint);
    if (delivery === undefined || queue.url === undefined) {
      queue.waitsFor = "endpoint";
      endpoint.waiting.add(queue);
      return;
    }
    queued -= 1;
    requestMore(queue);
    void send(delivery, queue.url, endpoint);
    windows.lineUp(queue);
  }

  function requestMore(queue: SubscriptionQueue): void {
    if (!queue.hasMore || queue.deliveries.length >= LOW) return;
    queue.hasMore = false;
    onLow();
  }

  async function send(delivery: DueDelivery, url: string, endpoint: Endpoint): Promise<void> {
    let pace = paceOf(endpoint);
    windows.enter(pace);
    startRequest(endpoint, delivery);
    inFlightOf.increment(delivery.merchantId);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      endpoint.isSuspect = true;
      if (pace === "slow") return;
      windows.leave(pace);
      pace = "slow";
      windows.enter(pace);
      pump();
    }, SLOW_AFTER);
    const isAcknowledged = await attempt(delivery, url).catch(() => false);
    clearTimeout(timer);
    endpoint.isSuspect = isLate || !isAcknowledged;
    windows.leave(pace);
    endRequest(endpoint, delivery);
    inFlightOf.decrement(delivery.merchantId);
    for (const queue of endpoint.waiting) windows.lineUp(queue);
    pump();
    if (windows.isEmpty()) for (const resolve of idleListeners.splice(0)) resolve();
  }

  /** Serves the waiting queues in turn, one delivery each, until the windows are full or no queue waits. */
  function pump(): void {
    for (let served = true; served; ) {
      served = serveNext("quick");
      served = serveNext("slow") || served;
    }
  }

  function serveNext(pace: Pace): boolean {
    const queue = windows.next(pace);
    if (queue !== undefined) serve(queue, pace);
    return queue !== undefined;
  }

  return {
    add,
    isLow: ({ webhookId }) => (queues.get(webhookId)?.deliveries.length ?? 0) < LOW,
    eventsInProgress: events.idsOf,
    forget: events.remove,
    drop: (merchantId) => {
      for (const queue of queues.values()) if (queue.merchantId === merchantId) empty(queue);
    },
    dropAll: () => {
      for (const queue of queues.values()) empty(queue);
    },
    pump,
    queued: () => queued,
    inHand: () => ({ queued, ...windows.inFlight() }),
    isBusy: (merchantId) =>
      inFlightOf.has(merchantId) ||
      queues.values().some((queue) => queue.merchantId === merchantId && queue.deliveries.length > 0),
    idle: () =>
      windows.isEmpty()
        ? Promise.resolve()
        : new Promise((resolve) => {
            idleListeners.push(resolve);
          }),
  };
}

/** Counts by name; a name at 0 is dropped. */
function createCounter() {
  const counts = new Map<string, number>();
  return {
    increment: (name: string) => void counts.set(name, (counts.get(name) ?? 0) + 1),
    decrement: (name: string) => {
      const count = (counts.get(name) ?? 1) - 1;
      if (count === 0) counts.delete(name);
      else counts.set(name, count);
    },
    has: (name: string) => counts.has(name),
  };
}

import { SECOND } from "../../kernel/time.ts";
import type { DueDelivery } from "./delivery.ts";
import type { DuePlace } from "./queries.ts";

/** Never more at once at one endpoint: one URL of one merchant. */
const PER_ENDPOINT = 4;

/**
 * Exchanges that are under way, in two windows. What takes longer than a second, and whatever goes to an endpoint that
 * was slow or failed the last time, counts in the second one; so a hundred endpoints that hang take nothing from those
 * that answer.
 */
const QUICK_WINDOW = 256;
const SLOW_WINDOW = 512;
const SLOW_AFTER = SECOND;

/** Below this many waiting, more is asked for. */
const LOW = 50;

/** Beyond so many, what is known of endpoints at rest is forgotten. */
const KEPT_ENDPOINTS = 10_000;

type Source = DuePlace & { readonly queue: DueDelivery[]; more: boolean };
type Endpoint = { inFlight: number; readonly resources: Set<string>; suspect: boolean };

export type Lanes = {
  /** Queues what was fetched. `more`: the place has more than was fetched. */
  readonly add: (place: DuePlace, deliveries: readonly DueDelivery[], more: boolean) => void;
  /** True when the place can take more. */
  readonly isLow: (place: DuePlace) => boolean;
  /** Events of this place that are queued, under way, or done and not yet written down. */
  readonly known: (place: DuePlace) => readonly string[];
  /** What came of it is written down; from now on it may be fetched again. */
  readonly forget: (delivery: Pick<DueDelivery, "webhookId" | "eventId">) => void;
  /** Takes back what is queued for a merchant; what is under way goes on. */
  readonly drop: (merchantId: string) => void;
  readonly dropAll: () => void;
  readonly pump: () => void;
  readonly queued: () => number;
  readonly isBusy: (merchantId: string) => boolean;
  /** When nothing is under way any more. */
  readonly idle: () => Promise<void>;
};

export type LaneParts = {
  /** Where the subscription's events go; undefined while they go nowhere. */
  readonly urlOf: (place: DuePlace) => string | undefined;
  /** Makes one attempt; true when the endpoint acknowledged it. */
  readonly attempt: (delivery: DueDelivery, url: string) => Promise<boolean>;
  /** Called when a place that has more is running low. */
  readonly onLow: () => void;
};

/** Queues per subscription, served in turn: at most four at once per endpoint, and one at a time per resource. */
export function createLanes({ urlOf, attempt, onLow }: LaneParts): Lanes {
  const sources = new Map<string, Source>();
  const ring: Source[] = [];
  const endpoints = new Map<string, Endpoint>();
  const known = new Map<string, Set<string>>();
  const busy = new Map<string, number>();
  let turn = 0;
  let queued = 0;
  let quick = 0;
  let slow = 0;
  let resting: (() => void)[] = [];

  function sourceOf(place: DuePlace): Source {
    const found = sources.get(place.webhookId);
    if (found !== undefined) return found;
    const made = { merchantId: place.merchantId, webhookId: place.webhookId, queue: [], more: false };
    sources.set(place.webhookId, made);
    ring.push(made);
    return made;
  }

  function endpointOf(merchantId: string, url: string): Endpoint {
    const name = `${merchantId} ${url}`;
    const found = endpoints.get(name);
    if (found !== undefined) return found;
    if (endpoints.size >= KEPT_ENDPOINTS) forgetIdleEndpoints();
    const made = { inFlight: 0, resources: new Set<string>(), suspect: false };
    endpoints.set(name, made);
    return made;
  }

  function forgetIdleEndpoints(): void {
    for (const [name, { inFlight }] of endpoints) if (inFlight === 0) endpoints.delete(name);
  }

  function forget({ webhookId, eventId }: Pick<DueDelivery, "webhookId" | "eventId">): void {
    const events = known.get(webhookId);
    events?.delete(eventId);
    if (events?.size === 0) known.delete(webhookId);
  }

  function empty(source: Source): void {
    queued -= source.queue.length;
    for (const delivery of source.queue.splice(0)) forget(delivery);
  }

  /** Starts one delivery of this source, if its endpoint and the windows have room. */
  function startOne(source: Source): boolean {
    const url = urlOf(source);
    if (url === undefined) {
      empty(source);
      return false;
    }
    const endpoint = endpointOf(source.merchantId, url);
    if (endpoint.inFlight >= PER_ENDPOINT) return false;
    if (endpoint.suspect ? slow >= SLOW_WINDOW : quick >= QUICK_WINDOW) return false;
    const place = source.queue.findIndex(({ resourceId }) => !endpoint.resources.has(resourceId));
    const [delivery] = place === -1 ? [] : source.queue.splice(place, 1);
    if (delivery === undefined) return false;
    queued -= 1;
    if (source.more && source.queue.length < LOW) {
      source.more = false;
      onLow();
    }
    void run(delivery, url, endpoint);
    return true;
  }

  async function run(delivery: DueDelivery, url: string, endpoint: Endpoint): Promise<void> {
    let counts: "quick" | "slow" = endpoint.suspect ? "slow" : "quick";
    if (counts === "quick") quick += 1;
    else slow += 1;
    endpoint.inFlight += 1;
    endpoint.resources.add(delivery.resourceId);
    busy.set(delivery.merchantId, (busy.get(delivery.merchantId) ?? 0) + 1);
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      endpoint.suspect = true;
      if (counts === "slow") return;
      counts = "slow";
      quick -= 1;
      slow += 1;
      pump();
    }, SLOW_AFTER);
    const good = await attempt(delivery, url).catch(() => false);
    clearTimeout(timer);
    endpoint.suspect = late || !good;
    if (counts === "quick") quick -= 1;
    else slow -= 1;
    endpoint.inFlight -= 1;
    endpoint.resources.delete(delivery.resourceId);
    const left = (busy.get(delivery.merchantId) ?? 1) - 1;
    if (left === 0) busy.delete(delivery.merchantId);
    else busy.set(delivery.merchantId, left);
    pump();
    if (quick + slow === 0) for (const rest of resting.splice(0)) rest();
  }

  /** Goes round the sources, one delivery each, until nobody can start another. */
  function pump(): void {
    let refused = 0;
    while (refused < ring.length) {
      turn %= ring.length;
      const source = ring[turn];
      if (source === undefined) return;
      if (source.queue.length === 0) {
        ring.splice(turn, 1);
        sources.delete(source.webhookId);
        continue;
      }
      refused = startOne(source) ? 0 : refused + 1;
      turn += 1;
    }
  }

  return {
    add: (place, deliveries, more) => {
      if (deliveries.length === 0) return;
      const source = sourceOf(place);
      source.queue.push(...deliveries);
      source.more = more;
      queued += deliveries.length;
      const events = known.get(place.webhookId) ?? new Set<string>();
      for (const { eventId } of deliveries) events.add(eventId);
      known.set(place.webhookId, events);
    },
    isLow: ({ webhookId }) => (sources.get(webhookId)?.queue.length ?? 0) < LOW,
    known: ({ webhookId }) => [...(known.get(webhookId) ?? [])],
    forget,
    drop: (merchantId) => {
      for (const source of ring) if (source.merchantId === merchantId) empty(source);
    },
    dropAll: () => {
      for (const source of ring) empty(source);
    },
    pump,
    queued: () => queued,
    isBusy: (merchantId) =>
      busy.has(merchantId) ||
      ring.some((source) => source.merchantId === merchantId && source.queue.length > 0),
    idle: () =>
      quick + slow === 0 ? Promise.resolve() : new Promise((resolve) => (resting = [...resting, resolve])),
  };
}

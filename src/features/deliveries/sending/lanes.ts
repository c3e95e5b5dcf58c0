import { SECOND } from "../../../kernel/time.ts";
import type { DueDelivery } from "../delivery.ts";
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

/** The windows. */
type Pace = "quick" | "slow";
/** Deliveries that wait for one subscription, and where it stands in line: for a window, for its endpoint, or nowhere. */
type Source = DuePlace & {
  readonly queue: DueDelivery[];
  more: boolean;
  stands: Pace | "endpoint" | "nowhere";
  url: string | undefined;
  endpoint: Endpoint | undefined;
};
type Endpoint = {
  inFlight: number;
  readonly resources: Set<string>;
  suspect: boolean;
  /** Sources that can go on when something that is under way here has ended. */
  readonly waiting: Set<Source>;
};

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
  readonly inHand: () => { readonly queued: number } & Readonly<Record<Pace, number>>;
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

/**
 * Queues per subscription, served in turn: at most four at once per endpoint, and one at a time per resource. A source
 * that can't start stands where it will hear of the reason's end, so that an exchange that ends costs the same however
 * many sources wait.
 */
export function createLanes({ urlOf, attempt, onLow }: LaneParts): Lanes {
  const sources = new Map<string, Source>();
  const endpoints = new Map<string, Endpoint>();
  const known = new Map<string, Set<string>>();
  const busy = new Map<string, number>();
  const lines: Readonly<Record<Pace, Source[]>> = { quick: [], slow: [] };
  const underWay: Record<Pace, number> = { quick: 0, slow: 0 };
  let queued = 0;
  let resting: (() => void)[] = [];

  function sourceOf({ merchantId, webhookId }: DuePlace): Source {
    const found = sources.get(webhookId);
    if (found !== undefined) return found;
    const nowhere = { stands: "nowhere", url: undefined, endpoint: undefined } as const;
    const made: Source = { merchantId, webhookId, queue: [], more: false, ...nowhere };
    sources.set(webhookId, made);
    return made;
  }

  /** The endpoint that the source's events go to now; undefined while they go nowhere. */
  function endpointOf(source: Source): Endpoint | undefined {
    const url = urlOf(source);
    if (url !== undefined && url === source.url && source.endpoint !== undefined) return source.endpoint;
    source.url = url;
    source.endpoint = url === undefined ? undefined : endpointAt(`${source.merchantId} ${url}`);
    return source.endpoint;
  }

  function endpointAt(name: string): Endpoint {
    const found = endpoints.get(name);
    if (found !== undefined) return found;
    if (endpoints.size >= KEPT_ENDPOINTS) forgetIdleEndpoints();
    const made = { inFlight: 0, resources: new Set<string>(), suspect: false, waiting: new Set<Source>() };
    endpoints.set(name, made);
    return made;
  }

  function forgetIdleEndpoints(): void {
    const used = new Set([...sources.values()].map(({ endpoint }) => endpoint));
    for (const [name, one] of endpoints) if (one.inFlight === 0 && !used.has(one)) endpoints.delete(name);
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

  /** At the end of the line of its endpoint's window. */
  function lineUp(source: Source): void {
    source.endpoint?.waiting.delete(source);
    source.stands = source.endpoint?.suspect === true ? "slow" : "quick";
    lines[source.stands].push(source);
  }

  /** Starts one delivery of the source whose turn it is, and puts the source where it has to wait for the next. */
  function serve(source: Source, line: Pace): void {
    source.stands = "nowhere";
    const endpoint = endpointOf(source);
    if (endpoint === undefined) empty(source);
    if (endpoint === undefined || source.queue.length === 0) {
      sources.delete(source.webhookId);
      return;
    }
    if ((endpoint.suspect ? "slow" : "quick") !== line) {
      lineUp(source);
      return;
    }
    const place =
      endpoint.inFlight < PER_ENDPOINT
        ? source.queue.findIndex(({ resourceId }) => !endpoint.resources.has(resourceId))
        : -1;
    const delivery = place === 0 ? source.queue.shift() : source.queue.splice(place, place === -1 ? 0 : 1)[0];
    if (delivery === undefined || source.url === undefined) {
      source.stands = "endpoint";
      endpoint.waiting.add(source);
      return;
    }
    queued -= 1;
    if (source.more && source.queue.length < LOW) {
      source.more = false;
      onLow();
    }
    void run(delivery, source.url, endpoint);
    lineUp(source);
  }

  async function run(delivery: DueDelivery, url: string, endpoint: Endpoint): Promise<void> {
    let counts: Pace = endpoint.suspect ? "slow" : "quick";
    underWay[counts] += 1;
    endpoint.inFlight += 1;
    endpoint.resources.add(delivery.resourceId);
    busy.set(delivery.merchantId, (busy.get(delivery.merchantId) ?? 0) + 1);
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      endpoint.suspect = true;
      if (counts === "slow") return;
      counts = "slow";
      underWay.quick -= 1;
      underWay.slow += 1;
      pump();
    }, SLOW_AFTER);
    const good = await attempt(delivery, url).catch(() => false);
    clearTimeout(timer);
    endpoint.suspect = late || !good;
    underWay[counts] -= 1;
    endpoint.inFlight -= 1;
    endpoint.resources.delete(delivery.resourceId);
    const left = (busy.get(delivery.merchantId) ?? 1) - 1;
    if (left === 0) busy.delete(delivery.merchantId);
    else busy.set(delivery.merchantId, left);
    for (const source of endpoint.waiting) lineUp(source);
    pump();
    if (underWay.quick + underWay.slow === 0) for (const rest of resting.splice(0)) rest();
  }

  /** Serves whoever stands in line, one delivery each and in turn, until the windows are full or nobody is left. */
  function pump(): void {
    for (let served = true; served; ) {
      served = serveFirst("quick", QUICK_WINDOW);
      served = serveFirst("slow", SLOW_WINDOW) || served;
    }
  }

  function serveFirst(line: Pace, window: number): boolean {
    const source = underWay[line] < window ? lines[line].shift() : undefined;
    if (source !== undefined) serve(source, line);
    return source !== undefined;
  }

  return {
    add: (place, deliveries, more) => {
      // Nobody waits at the endpoint of yesterday's URL.
      const standing = sources.get(place.webhookId);
      if (standing?.stands === "endpoint" && standing.url !== urlOf(place)) lineUp(standing);
      if (deliveries.length === 0) return;
      const source = sourceOf(place);
      source.queue.push(...deliveries);
      source.more = more;
      queued += deliveries.length;
      const events = known.get(place.webhookId) ?? new Set<string>();
      for (const { eventId } of deliveries) events.add(eventId);
      known.set(place.webhookId, events);
      if (source.stands === "nowhere" || source.stands === "endpoint") lineUp(source);
    },
    isLow: ({ webhookId }) => (sources.get(webhookId)?.queue.length ?? 0) < LOW,
    known: ({ webhookId }) => [...(known.get(webhookId) ?? [])],
    forget,
    drop: (merchantId) => {
      for (const source of sources.values()) if (source.merchantId === merchantId) empty(source);
    },
    dropAll: () => {
      for (const source of sources.values()) empty(source);
    },
    pump,
    queued: () => queued,
    inHand: () => ({ queued, ...underWay }),
    isBusy: (merchantId) =>
      busy.has(merchantId) ||
      sources.values().some((source) => source.merchantId === merchantId && source.queue.length > 0),
    idle: () =>
      underWay.quick + underWay.slow === 0
        ? Promise.resolve()
        : new Promise((resolve) => (resting = [...resting, resolve])),
  };
}

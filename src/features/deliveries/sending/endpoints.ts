import { type Endpoint, newEndpoint, type SubscriptionQueue } from "./subscription-queue.ts";

/** Above this many, endpoints without queue or request are dropped. */
const ENDPOINTS_KEPT = 10_000;

export type Endpoints = {
  /** Returns the endpoint at the queue's current URL; undefined without a URL. */
  readonly of: (queue: SubscriptionQueue, url: string | undefined) => Endpoint | undefined;
};

export function createEndpoints(queues: ReadonlyMap<string, SubscriptionQueue>): Endpoints {
  const endpoints = new Map<string, Endpoint>();

  function endpointAt(name: string): Endpoint {
    const known = endpoints.get(name);
    if (known !== undefined) return known;
    if (endpoints.size >= ENDPOINTS_KEPT) dropUnused();
    const endpoint = newEndpoint();
    endpoints.set(name, endpoint);
    return endpoint;
  }

  function dropUnused(): void {
    const used = new Set([...queues.values()].map(({ endpoint }) => endpoint));
    for (const [name, one] of endpoints) if (one.inFlight === 0 && !used.has(one)) endpoints.delete(name);
  }

  return {
    of: (queue, url) => {
      if (url !== undefined && url === queue.url && queue.endpoint !== undefined) return queue.endpoint;
      queue.url = url;
      queue.endpoint = url === undefined ? undefined : endpointAt(`${queue.merchantId} ${url}`);
      return queue.endpoint;
    },
  };
}

import { createRequire } from "node:module";
import type { Dispatcher } from "undici";

type Undici = typeof import("undici");

const load = createRequire(import.meta.url);

/**
 * Of undici, only what dispatches over connections. The package as a whole also loads fetch, WebSocket, caches and mocks,
 * which no gateway uses: 12 MB of memory and 0.2 s of every start.
 */
export const Agent = load("undici/lib/dispatcher/agent.js") as Undici["Agent"];
export type Agent = InstanceType<Undici["Agent"]>;
export const buildConnector = load("undici/lib/core/connect.js") as Undici["buildConnector"];

const requestBy = load("undici/lib/api/api-request.js") as Dispatcher["request"];

/** One request; the answer's body is a stream. */
export function request(
  dispatcher: Dispatcher,
  options: Dispatcher.RequestOptions,
): Promise<Dispatcher.ResponseData<unknown>> {
  return requestBy.call(dispatcher, options);
}

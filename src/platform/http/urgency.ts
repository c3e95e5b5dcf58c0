import type { IncomingMessage } from "node:http";
import type { Urgency } from "./admission.ts";
import { MONITORING_PATHS } from "./monitoring-paths.ts";

/** Operations on money, by their path on the API or the dashboard: payments of stored instruments, captures, voids, refunds. */
const MONEY =
  /^\/(?:transactions|paymentinstruments)(?:\/|$)|^\/connectors\/|^\/dashboard\/[^/?]+\/transactions\//i;

/** One resource: its id is the end of the path. */
const ONE = /\/[a-z]+_[0-9a-z]{20,}(?:\?|$)/i;

const MONITORING = new RegExp(`^(?:${Object.values(MONITORING_PATHS).join("|")})(?:\\?|$)`);

type ServerName = "api" | "hosted" | "watch" | "dashboard";

/** A picture on a payment page: it waits for a merchant's host, and a payment needs none. */
const PICTURE = /^\/pay\/[^/?]+\/items\//;

/** What a payer does ends in a payment, so all of it but pictures is money. A merchant's server creates requests and reads lists. */
export function urgencyOf(server: ServerName, { method, url = "" }: IncomingMessage): Urgency {
  if (server === "watch" || MONITORING.test(url)) return "always";
  if (server === "hosted") return PICTURE.test(url) ? "list" : "money";
  if (method === "GET" || method === "HEAD") return ONE.test(url) ? "create" : "list";
  return MONEY.test(url) ? "money" : "create";
}

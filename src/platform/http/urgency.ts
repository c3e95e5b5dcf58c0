import type { IncomingMessage } from "node:http";
import type { Urgency } from "./admission.ts";
import { MONITORING_PATHS } from "./monitoring-paths.ts";

/** Pages and forms of the dashboard for captures, voids and refunds. */
const DASHBOARD_MONEY = /^\/dashboard\/[^/?]+\/transactions\/[^/?]+\//i;

/** Operations on money: charges of stored instruments, captures, voids, refunds; and what acquirers say of them. */
const API_MONEY = /^\/transactions(?:[/?]|$)|^\/connectors\//i;

/** One resource: its id is the end of the path. */
const ONE = /^[^?]*\/[a-z]+_[0-9a-z]{20,}(?:\?|$)/i;

/** Its path ends in an id, too, but it reads more than any list. */
const OVERVIEW = /^\/dashboard\/[^/?]+(?:\?|$)/i;

const MONITORING = new RegExp(`^(?:${Object.values(MONITORING_PATHS).join("|")})(?:\\?|$)`);

type ServerName = "api" | "hosted" | "watch" | "dashboard";

/** A picture on a payment page: it waits for a merchant's host, and a payment needs none. */
const PICTURE = /^\/pay\/[^/?]+\/items\//;

/** What a payer does ends in a payment, so all of it but pictures is money. A merchant's server creates requests and reads lists. */
export function urgencyOf(server: ServerName, { method, url = "" }: IncomingMessage): Urgency {
  if (server === "watch" || MONITORING.test(url)) return "always";
  if (server === "hosted") return PICTURE.test(url) ? "list" : "money";
  const isDashboardMoney = DASHBOARD_MONEY.test(url);
  if (method === "GET" || method === "HEAD") {
    const isOne = ONE.test(url) && !OVERVIEW.test(url);
    // The page with the amount comes before the refund.
    return isOne || isDashboardMoney ? "create" : "list";
  }
  return isDashboardMoney || API_MONEY.test(url) ? "money" : "create";
}

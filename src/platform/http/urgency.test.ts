import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { describe, test } from "node:test";
import { newId } from "../../kernel/ids.ts";
import { instant } from "../../kernel/time.ts";
import type { Urgency } from "./admission.ts";
import { urgencyOf } from "./urgency.ts";

const NOW = instant(Date.parse("2026-06-01T03:20:00Z"));
const REQUEST = newId("paymentRequest", NOW);
const TRANSACTION = newId("transaction", NOW);
const REFUND = newId("refund", NOW);
const CUSTOMER = newId("customer", NOW);
const PAYOUT = newId("payout", NOW);
const EVENT = newId("event", NOW);
const MERCHANT = newId("merchant", NOW);
const ACCOUNT = newId("acquirerAccount", NOW);
const TRANSACTION_PAGE = `/dashboard/${MERCHANT}/transactions/${TRANSACTION}`;

type Server = Parameters<typeof urgencyOf>[0];
type Line = readonly [kind: string, server: Server, request: string, urgency: Urgency];

const LINES: readonly Line[] = [
  ["monitoring", "api", "GET /healthz", "always"],
  ["monitoring", "api", "GET /readyz?verbose", "always"],
  ["monitoring", "hosted", "GET /healthz", "always"],
  ["monitoring", "dashboard", "GET /readyz", "always"],
  ["monitoring", "watch", "GET /metrics", "always"],
  ["the server for monitoring", "watch", "GET /anything", "always"],
  ["what only begins like monitoring", "api", "GET /healthzone", "list"],

  ["a payer's payment", "hosted", "POST /checkout/pay", "money"],
  ["a payer's frame", "hosted", "POST /checkout/initialise", "money"],
  ["a payer's outcome", "hosted", "POST /checkout/outcome", "money"],
  ["a hosted page", "hosted", "GET /pay/key", "money"],
  ["a hosted page's form", "hosted", "POST /pay/key", "money"],
  ["a picture", "hosted", "GET /pay/key/items/1", "list"],
  ["a page whose key is the word for pictures", "hosted", "GET /pay/items", "money"],

  ["a charge", "api", "POST /transactions", "money"],
  ["a charge with a query", "api", "POST /transactions?test=1", "money"],
  ["a capture", "api", `POST /transactions/${TRANSACTION}/capture`, "money"],
  ["a void", "api", `POST /transactions/${TRANSACTION}/cancel`, "money"],
  ["a refund", "api", `POST /transactions/${TRANSACTION}/refunds`, "money"],
  ["a refund in capitals", "api", `POST /TRANSACTIONS/${TRANSACTION}/Refunds`, "money"],
  ["an acquirer's notification", "api", `POST /connectors/adyen/${ACCOUNT}/notifications`, "money"],
  ["what only begins like money", "api", "POST /transactionsheets", "create"],

  ["a create", "api", "POST /paymentrequests", "create"],
  ["a token", "api", "POST /tokens", "create"],
  ["a customer", "api", "POST /customers", "create"],
  ["a stored instrument", "api", `POST /customers/${CUSTOMER}/paymentinstruments`, "create"],
  ["a change", "api", `PUT /customers/${CUSTOMER}`, "create"],
  ["a removal", "api", `DELETE /customers/${CUSTOMER}`, "create"],
  ["the end of a request", "api", `POST /paymentrequests/${REQUEST}/cancel`, "create"],

  ["a single read", "api", `GET /paymentrequests/${REQUEST}`, "create"],
  ["a single read with a query", "api", `GET /transactions/${TRANSACTION}?fields=all`, "create"],
  ["a single read in capitals", "api", `GET /Refunds/${REFUND.toUpperCase()}`, "create"],
  ["a single read's head", "api", `HEAD /events/${EVENT}`, "create"],

  ["a list", "api", "GET /paymentrequests", "list"],
  ["a list of money", "api", "GET /transactions?status=approved", "list"],
  ["a list after an id", "api", `GET /transactions?after=${TRANSACTION}&limit=5`, "list"],
  ["a list with a path in its query", "api", `GET /events?note=/${TRANSACTION}`, "list"],
  ["a list of one resource", "api", `GET /transactions/${TRANSACTION}/refunds`, "list"],
  ["an export", "api", "GET /transactions.csv", "list"],
  ["an export of one resource", "api", `GET /payouts/${PAYOUT}.csv`, "list"],
  ["a path that names notifications", "api", `GET /connectors/adyen/${ACCOUNT}/notifications`, "list"],

  ["a capture in the dashboard", "dashboard", `POST ${TRANSACTION_PAGE}/capture`, "money"],
  ["a void in the dashboard", "dashboard", `POST ${TRANSACTION_PAGE}/cancel`, "money"],
  ["a refund in the dashboard", "dashboard", `POST ${TRANSACTION_PAGE}/refund`, "money"],
  ["the page before a refund", "dashboard", `GET ${TRANSACTION_PAGE}/refund?amount=10.00`, "create"],
  ["one transaction in the dashboard", "dashboard", `GET ${TRANSACTION_PAGE}`, "create"],
  ["other forms of the dashboard", "dashboard", `POST /dashboard/${MERCHANT}/sandbox/payment`, "create"],
  ["signing in", "dashboard", "POST /dashboard/signin", "create"],
  ["a list in the dashboard", "dashboard", `GET /dashboard/${MERCHANT}/transactions`, "list"],
  ["an export in the dashboard", "dashboard", `GET /dashboard/${MERCHANT}/transactions.csv`, "list"],
  ["the overview", "dashboard", `GET /dashboard/${MERCHANT}`, "list"],
  ["the overview of a time", "dashboard", `GET /dashboard/${MERCHANT}?range=30d`, "list"],
];

describe("under overload money goes before creates and single reads, and those before lists", () => {
  for (const [kind, server, request, urgency] of LINES)
    test(`${kind}: ${request.replaceAll(/_[0-9a-z]{20,}/gi, "_…")} at ${server} is ${urgency}`, () => {
      const [method, url] = request.split(" ");
      assert.equal(urgencyOf(server, { method, url } as IncomingMessage), urgency);
    });
});

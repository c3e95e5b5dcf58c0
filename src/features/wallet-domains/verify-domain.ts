import { SECOND } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import type { Exchange } from "../../platform/egress/egress.ts";
import { type Merchant, reachFor } from "../merchants/index.ts";
import { ASSOCIATION_PATH, associationFor } from "./association.ts";

const TYPES: readonly string[] = ["text/plain", "application/octet-stream"];

/** Fetches a domain's association file. Returns what is wrong with it; undefined: nothing. */
export async function verifyDomain(
  ctx: Context,
  merchant: Merchant,
  domain: string,
): Promise<string | undefined> {
  const expected = await associationFor(ctx.settings, merchant);
  const exchange = await ctx.egress.send({
    method: "GET",
    url: `https://${domain}${ASSOCIATION_PATH}`,
    headers: { accept: "text/plain, application/octet-stream" },
    reach: await reachFor(ctx, merchant.mode),
    withinMs: 10 * SECOND,
  });
  const problem =
    exchange.outcome === "failed" ? CONNECTION_PROBLEMS[exchange.reason] : answerProblem(exchange, expected);
  return problem === undefined ? undefined : `Domain verification failed: ${problem}`;
}

const CONNECTION_PROBLEMS: Readonly<Record<Extract<Exchange, { outcome: "failed" }>["reason"], string>> = {
  timeout: "no complete answer within 10 seconds",
  address_refused: "the name resolves to an address that is not public",
  name_not_found: "the name has no address (DNS)",
  name_service_unavailable: "the name could not be looked up (DNS); try again",
  network_unreachable: "this gateway has no network; try again",
  no_route: "this gateway has no route to its addresses (IPv4 or IPv6 alone)",
  connection_refused: "nothing answers on port 443",
  connection_reset: "the connection was reset",
  connection_failed: "the connection failed",
  tls_failed: "its certificate is not valid for this name (TLS)",
  answer_malformed: "the answer is not HTTP",
};

function answerProblem(
  { status, headers, body, isCut }: Extract<Exchange, { outcome: "answered" }>,
  expected: string,
): string | undefined {
  if (status >= 300 && status < 400) {
    return `it redirects${headers["location"] === undefined ? "" : ` to ${plain(headers["location"])}`}; the file must be at this address`;
  }
  if (status !== 200) return `the answer is HTTP ${status}, not 200`;
  const type = (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const text = Buffer.from(body).toString("utf8");
  if (type === "text/html" || /^\s*</.test(text)) return "the answer is an HTML page, not the file";
  if (!TYPES.includes(type)) {
    return `the content type is ${type === "" ? "missing" : plain(type)}, not text/plain or application/octet-stream`;
  }
  if (isCut) return "the answer is too long, or did not end within 10 seconds";
  const isRight = withoutEnd(text) === withoutEnd(expected);
  return isRight ? undefined : "the file's text differs from GET /management/applepaydomains/association";
}

function withoutEnd(text: string): string {
  return text.replace(/\r?\n$/, "");
}

/** Shortens text from the domain and removes control characters that a terminal or log would interpret. */
function plain(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?").slice(0, 200);
}

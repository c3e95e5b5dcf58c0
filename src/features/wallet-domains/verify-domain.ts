import { SECOND } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import type { Exchange } from "../../platform/egress/egress.ts";
import type { Merchant } from "../merchants/index.ts";
import { ASSOCIATION_PATH, associationText } from "./association.ts";

const TYPES: readonly string[] = ["text/plain", "application/octet-stream"];

/** Fetches the association file of a domain. Undefined: all is well; otherwise why not, in words. */
export async function verifyDomain(
  ctx: Context,
  merchant: Merchant,
  domain: string,
): Promise<string | undefined> {
  const exchange = await ctx.egress.send({
    method: "GET",
    url: `https://${domain}${ASSOCIATION_PATH}`,
    headers: { accept: "text/plain, application/octet-stream" },
    reach: merchant.mode === "sandbox" ? "public-and-loopback" : "public",
    withinMs: 10 * SECOND,
  });
  const trouble =
    exchange.outcome === "failed" ? CONNECTION[exchange.reason] : answerError(exchange, merchant);
  return trouble === undefined ? undefined : `Domain verification failed: ${trouble}`;
}

const CONNECTION: Readonly<Record<Extract<Exchange, { outcome: "failed" }>["reason"], string>> = {
  timeout: "no whole answer came within 10 seconds",
  address_refused: "the name leads to an address that is not public",
  name_not_found: "the name has no address (DNS)",
  name_service_unavailable: "the name could not be looked up (DNS); try again",
  network_unreachable: "this gateway has no route to it; try again",
  connection_refused: "nothing answers on port 443",
  connection_reset: "the connection was broken off",
  connection_failed: "the connection could not be made",
  tls_failed: "its certificate is not valid for this name (TLS)",
  answer_malformed: "the answer is no HTTP",
};

function answerError(
  { status, headers, body, cut }: Extract<Exchange, { outcome: "answered" }>,
  merchant: Merchant,
): string | undefined {
  if (status >= 300 && status < 400) {
    return `it redirects${headers["location"] === undefined ? "" : ` to ${plain(headers["location"])}`}; the file has to be there itself`;
  }
  if (status !== 200) return `the answer is HTTP ${status}, not 200`;
  const type = (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const text = Buffer.from(body).toString("utf8");
  if (type === "text/html" || /^\s*</.test(text)) return "the answer is an HTML page, not the file";
  if (!TYPES.includes(type)) {
    return `the content type is ${type === "" ? "missing" : plain(type)}, not text/plain or application/octet-stream`;
  }
  if (cut) return "the answer is too long, or did not end within 10 seconds";
  const right = text.replace(/\r?\n$/, "") === associationText(merchant);
  return right
    ? undefined
    : "the file's text differs from the one of GET /management/applepaydomains/association";
}

/** Somebody else's words, cut short and without anything that a terminal or a log would obey. */
function plain(words: string): string {
  return words.replace(/[^\x20-\x7e]/g, "?").slice(0, 200);
}

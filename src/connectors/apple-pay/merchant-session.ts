import { readJson } from "../../kernel/json.ts";
import { SECOND } from "../../kernel/time.ts";
import type { Egress } from "../../platform/egress/egress.ts";
import type { AppleSessionInput } from "../ports/wallets.ts";

const HOST = /^(?:cn-)?apple-pay-gateway(?:-[a-z0-9]+)*\.apple\.com$/;
const PATH = /^\/paymentservices\/(?:paymentSession|startSession)$/;

/** The URL comes from a browser. Our certificate is shown to Apple's hosts only. */
export function isAppleGateway(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    url.protocol === "https:" &&
    url.port === "" &&
    url.username === "" &&
    url.password === "" &&
    HOST.test(url.hostname) &&
    PATH.test(url.pathname)
  );
}

const LONGEST_NAME = 64;

/** Requests a merchant session from Apple. `send` goes out with our merchant identity certificate. */
export async function requestMerchantSession(
  { send }: Pick<Egress, "send">,
  merchantIdentifier: string,
  { validationUrl, domain, displayName }: AppleSessionInput,
): Promise<object | undefined> {
  if (!isAppleGateway(validationUrl)) return undefined;
  const exchange = await send({
    method: "POST",
    url: validationUrl,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      merchantIdentifier,
      displayName: Array.from(displayName).slice(0, LONGEST_NAME).join(""),
      initiative: "web",
      initiativeContext: domain,
    }),
    reach: "public",
    withinMs: 10 * SECOND,
  });
  if (exchange.outcome !== "answered" || exchange.status !== 200 || exchange.isCut) return undefined;
  const read = readJson(Buffer.from(exchange.body).toString("utf8"));
  const session = read.problem === undefined ? read.value : undefined;
  return typeof session === "object" && session !== null ? session : undefined;
}

import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Identifies the payer by a random cookie, `Secure` if the shop is on https. Only the payer sees their orders. */
export function payerOf(
  request: IncomingMessage,
  shopUrl: string,
): {
  readonly id: string;
  readonly cookie: string | undefined;
} {
  const known = /(?:^|; )payer=([0-9a-f]{32})(?:;|$)/.exec(request.headers.cookie ?? "")?.[1];
  if (known !== undefined) return { id: known, cookie: undefined };
  const id = randomBytes(16).toString("hex");
  const secure = shopUrl.startsWith("https:") ? "; Secure" : "";
  return { id, cookie: `payer=${id}; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000${secure}` };
}

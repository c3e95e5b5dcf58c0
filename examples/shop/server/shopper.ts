import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Identifies the shopper by a random cookie, `Secure` if the shop is on https. Only the shopper sees their orders. */
export function shopperOf(
  request: IncomingMessage,
  shopUrl: string,
): {
  readonly id: string;
  readonly cookie: string | undefined;
} {
  const known = /(?:^|; )shopper=([0-9a-f]{32})(?:;|$)/.exec(request.headers.cookie ?? "")?.[1];
  if (known !== undefined) return { id: known, cookie: undefined };
  const id = randomBytes(16).toString("hex");
  const secure = shopUrl.startsWith("https:") ? "; Secure" : "";
  return { id, cookie: `shopper=${id}; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000${secure}` };
}

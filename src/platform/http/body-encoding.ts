import type { IncomingHttpHeaders } from "node:http";
import { refuse } from "../../kernel/refusal.ts";

const CHARSET = /;\s*charset\s*=\s*("?)([^";\s]*)\1/gi;

/** Bodies are read as plain UTF-8. To read what the sender encoded in another way as if it were that is a guess. */
export function refuseEncodings(headers: IncomingHttpHeaders): void {
  const { "content-encoding": encoding, "content-type": type = "" } = headers;
  if (encoding !== undefined && encoding !== "" && encoding.toLowerCase() !== "identity") {
    refuse("body_encoding_unsupported");
  }
  if (!type.includes(";")) return;
  for (const [, , charset = ""] of type.matchAll(CHARSET)) {
    if (!/^utf-?8$/i.test(charset)) refuse("body_charset_unsupported");
  }
}

import { DAY, type Instant, later, toIso } from "../kernel/time.ts";
import type { Settings } from "../platform/config/settings.ts";
import type { HttpServer } from "../platform/http/server.ts";

/** A year at most, says RFC 9116; renewed with every answer, so a gateway that runs is never out of date. */
const VALID_FOR = 180 * DAY;

/** Where to report a weakness (RFC 9116): the operator's contact. Without one there is no such file. */
export function mountSecurityTxt(server: HttpServer, settings: Settings, now: () => Instant): void {
  const { securityContact } = settings;
  if (securityContact === undefined) return;
  server.get("/.well-known/security.txt", async (_request, reply) =>
    reply
      .type("text/plain; charset=utf-8")
      .send(
        `Contact: ${securityContact}\nExpires: ${toIso(later(now(), VALID_FOR))}\nPreferred-Languages: en\n`,
      ),
  );
}

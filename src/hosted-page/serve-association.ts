import { ASSOCIATION_PATH } from "../features/wallet-domains/index.ts";
import { refuse } from "../kernel/refusal.ts";
import { readAppleAssociation } from "../platform/config/apple-association.ts";
import type { Context } from "../platform/context.ts";
import type { HttpServer } from "../platform/http/server.ts";

/** Serves the file by which Apple verifies the domain of the hosted page. */
export function serveAssociation(server: HttpServer, { settings }: Pick<Context, "settings">): void {
  server.get(ASSOCIATION_PATH, async (_request, reply) => {
    const text = (await readAppleAssociation(settings)) ?? refuse("resource_not_found");
    return reply.type("text/plain; charset=utf-8").send(text);
  });
}

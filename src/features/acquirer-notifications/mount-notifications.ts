import { soundFacts } from "../../connectors/ports/sound-answer.ts";
import { parseId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import { acceptTextOnly } from "../../platform/http/accept-text.ts";
import type { HttpServer } from "../../platform/http/server.ts";
import { findAccount } from "../acquirer-accounts/index.ts";
import { findMerchant } from "../merchants/index.ts";
import { applyFact } from "./apply-notification.ts";

/**
 * Where acquirers send outcomes that they do not answer at once. No API key: the connector verifies the sender. The answer
 * goes out after the commit, so that a crash makes the sender repeat the notification.
 */
export function mountAcquirerNotifications(server: HttpServer, ctx: Context): void {
  server.register(async (scope) => {
    // Signatures are over the body as it was sent.
    acceptTextOnly(scope, ["application/json"]);
    scope.post<{ Params: { connector: string; account: string } }>(
      "/connectors/:connector/:account/notifications",
      async (request, reply) => {
        const { connector, account } = request.params;
        const body = typeof request.body === "string" ? request.body : "";
        const answer = await receive(ctx, { connector, account, body, headers: request.headers });
        return reply.type("text/plain; charset=utf-8").send(answer);
      },
    );
  });
}

type Received = {
  readonly connector: string;
  readonly account: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
};

async function receive(ctx: Context, received: Received): Promise<string> {
  const id = parseId("acquirerAccount", received.account);
  const account = id && (await findAccount(ctx.db, id));
  const merchant = account && (await findMerchant(ctx.db, account.merchantId));
  if (merchant === undefined || account?.connector !== received.connector) refuse("resource_not_found");
  const { host } = await ctx.acquirers.get(merchant, account.id);
  const read = await (host.notification?.(single(received.headers), received.body) ??
    refuse("resource_not_found"));
  const about = { merchantId: merchant.id, subjectId: account.id };
  if (read.kind === "refused") {
    ctx.log.warn(about, `acquirer notification refused: ${read.reason}`);
    return refuse("acquirer_notification_refused");
  }
  let isEarly = false;
  for (const fact of soundFacts(read.facts)) {
    const applied = await applyFact(ctx, { account, merchant }, fact);
    if (applied === "unknown")
      ctx.log.warn(about, `acquirer notification about an unknown ${fact.about}: ignored`);
    isEarly ||= applied === "early";
  }
  return isEarly ? refuse("acquirer_notification_early") : read.reply;
}

function single(headers: Received["headers"]): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === "string" ? value : value?.join(", "),
    ]),
  );
}

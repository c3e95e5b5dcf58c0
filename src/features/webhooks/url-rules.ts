import type { CodeName } from "../../kernel/codes/catalogue.ts";
import type { Id } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import { type Problem, Refusal } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { type UrlProblem, urlProblem } from "../../platform/egress/check-url.ts";
import { type Caller, farthestReach, reachFor } from "../merchants/index.ts";
import { credentialsOf, webhooksOf } from "./queries.ts";

const CODES: Readonly<Record<UrlProblem, CodeName>> = {
  malformed: "webhook_url_invalid",
  credentials: "webhook_url_invalid",
  scheme: "webhook_url_scheme_invalid",
  address: "webhook_url_address_invalid",
  port: "webhook_url_port_invalid",
};

/** Problems of a URL that need neither a DNS query nor the database. */
export function webhookUrlProblems(
  url: string | undefined,
  mode: Mode,
  { settings }: Pick<Context, "settings">,
): readonly Problem[] {
  const problem = url === undefined ? undefined : urlProblem(url, farthestReach(mode, settings));
  return problem === undefined ? [] : [{ code: CODES[problem], field: "/url" }];
}

/**
 * An address that is out of reach, and a name that resolves to one. Every connection checks it again; this check returns the
 * reason to the merchant at once.
 */
export async function privateNameProblems(
  ctx: Context,
  url: string | undefined,
  mode: Mode,
): Promise<readonly Problem[]> {
  if (url === undefined || !(await ctx.egress.pointsInside(url, await reachFor(ctx, mode)))) return [];
  return [{ code: "webhook_url_address_invalid", field: "/url" }];
}

/**
 * Whether deliveries to this URL would carry the merchant's credentials to an origin that no subscription has yet. Where they
 * go, the password can be read.
 */
export async function takesCredentialsElsewhere(
  tx: Tx,
  merchantId: Id<"merchant">,
  url: string,
): Promise<boolean> {
  const [credentials] = await credentialsOf(tx, [merchantId]);
  if (credentials === undefined || credentials.sealedPassword === null) return false;
  const origin = URL.parse(url)?.origin;
  const known = await webhooksOf(tx, [merchantId]);
  return origin !== undefined && known.every((webhook) => URL.parse(webhook.url)?.origin !== origin);
}

/** Only who may set the credentials decides where they go. */
export async function refuseTakingCredentials(tx: Tx, caller: Caller, url: string): Promise<void> {
  if (caller.scopes.includes("admin")) return;
  if (!(await takesCredentialsElsewhere(tx, caller.merchantId, url))) return;
  const reason =
    "Deliveries carry the credentials of your webhook settings. An origin that no subscription has yet needs an API key with the scope admin.";
  throw new Refusal([{ code: "api_key_scope_missing", field: "/url", reason }]);
}

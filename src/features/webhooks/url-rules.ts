import type { CodeName } from "../../kernel/codes/catalogue.ts";
import type { Mode } from "../../kernel/mode.ts";
import { type Problem, refuse } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import { type UrlProblem, urlProblem } from "../../platform/egress/check-url.ts";
import { farthestReach, reachFor } from "../merchants/index.ts";

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
 * Refuses an address that is out of reach, and a name that resolves to one. Every connection checks it again; this check returns the reason
 * to the merchant at once.
 */
export async function refusePrivateName(ctx: Context, url: string, mode: Mode): Promise<void> {
  if (await ctx.egress.pointsInside(url, await reachFor(ctx, mode)))
    refuse("webhook_url_address_invalid", "/url");
}

import type { CodeName } from "../../kernel/codes/catalogue.ts";
import { type Problem, refuse } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import type { Reach } from "../../platform/egress/address.ts";
import { type UrlProblem, urlProblem } from "../../platform/egress/check-url.ts";
import type { Mode } from "../merchants/index.ts";

const CODES: Readonly<Record<UrlProblem, CodeName>> = {
  malformed: "webhook_url_invalid",
  credentials: "webhook_url_invalid",
  scheme: "webhook_url_scheme_invalid",
  address: "webhook_url_address_invalid",
  port: "webhook_url_port_invalid",
};

/** How far a merchant's webhooks reach: a sandbox merchant's own machine is where most are tried. */
export function reachOf(mode: Mode): Reach {
  return mode === "live" ? "public" : "public-and-loopback";
}

/** What is wrong with a URL before anybody is asked about it. */
export function webhookUrlProblems(url: string | undefined, mode: Mode): readonly Problem[] {
  const problem = url === undefined ? undefined : urlProblem(url, reachOf(mode));
  return problem === undefined ? [] : [{ code: CODES[problem], field: "/url" }];
}

/**
 * A name that points inside is refused when it is subscribed. It is looked at again at every connection, so this is for
 * the merchant who would otherwise wonder why nothing arrives.
 */
export async function refuseInsideName(ctx: Context, url: string, mode: Mode): Promise<void> {
  if (await ctx.egress.pointsInside(url, reachOf(mode))) refuse("webhook_url_address_invalid", "/url");
}

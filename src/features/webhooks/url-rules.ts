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

/** Which addresses a merchant's webhooks may reach: sandbox merchants also test on their own machine. */
export function reachOf(mode: Mode): Reach {
  return mode === "live" ? "public" : "public-and-loopback";
}

/** Problems of a URL that need no DNS query. */
export function webhookUrlProblems(url: string | undefined, mode: Mode): readonly Problem[] {
  const problem = url === undefined ? undefined : urlProblem(url, reachOf(mode));
  return problem === undefined ? [] : [{ code: CODES[problem], field: "/url" }];
}

/**
 * Refuses a host name that resolves to a private address. Every connection checks it again; this check returns the reason
 * to the merchant at once.
 */
export async function refusePrivateName(ctx: Context, url: string, mode: Mode): Promise<void> {
  if (await ctx.egress.pointsInside(url, reachOf(mode))) refuse("webhook_url_address_invalid", "/url");
}

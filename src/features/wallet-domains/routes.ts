import type { Mode } from "../../kernel/mode.ts";
import type { Problem } from "../../kernel/refusal.ts";
import { toIso } from "../../kernel/time.ts";
import type { Route } from "../../platform/http/route.ts";
import { answer, type Static } from "../../platform/http/schema.ts";
import type { Loose } from "../../platform/http/validate.ts";
import { type Caller, merchantRoute, ok } from "../merchants/index.ts";
import { associationFor } from "./association.ts";
import { listDomains } from "./queries.ts";
import { registerDomains } from "./register-domains.ts";
import { removeDomains } from "./remove-domains.ts";
import { isDomainName, LOCALHOST, type WalletDomain } from "./wallet-domain.ts";
import { DomainsAnswer, DomainsBody } from "./wire.ts";

const GROUP = "Apple Pay domains";
const PATH = "/management/applepaydomains";

export const walletDomainRoutes: readonly Route<Caller>[] = [
  merchantRoute({
    method: "GET",
    path: PATH,
    name: "listApplePayDomains",
    group: GROUP,
    summary: "List the registered domains",
    about: "Every domain with its status.",
    scope: "read",
    answer: DomainsAnswer,
    run: async (ctx, { caller }) => present(await listDomains(ctx.db, caller.merchantId), caller.mode),
  }),
  merchantRoute({
    method: "POST",
    path: PATH,
    name: "registerApplePayDomains",
    group: GROUP,
    summary: "Register domains",
    about:
      "Every domain and subdomain that shows the checkout needs the association file at `/.well-known/apple-developer-merchantid-domain-association`. Registers all or none, with a reason for each domain that fails.",
    scope: "write",
    body: DomainsBody,
    rules: (body, { caller }) => domainProblems(body, caller.mode),
    answer: DomainsAnswer,
    refusals: [
      "wallet_domain_invalid",
      "wallet_domains_too_many",
      "wallet_domains_capability_missing",
      "wallet_domain_verification_failed",
      "wallet_not_set_up",
    ],
    example: { domains: ["localhost"] },
    run: async (ctx, { caller, body }) =>
      present(await registerDomains(ctx, caller, body.domains), caller.mode),
  }),
  merchantRoute({
    method: "DELETE",
    path: PATH,
    name: "removeApplePayDomains",
    group: GROUP,
    summary: "Remove domains",
    about: "Returns the remaining domains.",
    scope: "write",
    body: DomainsBody,
    answer: DomainsAnswer,
    refusals: ["wallet_domain_unknown"],
    example: { domains: ["localhost"] },
    run: async (ctx, { caller, body }) =>
      present(await removeDomains(ctx, caller, body.domains), caller.mode),
  }),
  merchantRoute({
    method: "GET",
    path: `${PATH}/association`,
    name: "getApplePayAssociation",
    group: GROUP,
    summary: "The text of the association file",
    about: "Host this text at `/.well-known/apple-developer-merchantid-domain-association` on each domain.",
    scope: "read",
    answers: "text/plain",
    answer: answer.text("Host it unchanged, as `text/plain` or `application/octet-stream`."),
    refusals: ["wallet_not_set_up"],
    run: (ctx, { caller }) => associationFor(ctx.settings, caller.merchant),
  }),
];

function domainProblems(body: Loose<Static<typeof DomainsBody>>, mode: Mode): readonly Problem[] {
  return (body.domains ?? []).flatMap((domain, index): Problem[] => {
    const isValid =
      domain === undefined ||
      isDomainName(domain) ||
      (mode === "sandbox" && domain.toLowerCase() === LOCALHOST);
    return isValid ? [] : [{ code: "wallet_domain_invalid", field: `/domains/${index}` }];
  });
}

function present(domains: readonly WalletDomain[], mode: Mode): Static<typeof DomainsAnswer> {
  return {
    domains: domains.map(({ domain }) => domain),
    registrations: domains.map(({ domain, registeredAt }) => ({
      domain,
      status: "registered",
      registeredDateTime: toIso(registeredAt),
    })),
    result: ok(mode),
  };
}

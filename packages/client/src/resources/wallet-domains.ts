import type { Call } from "../call.ts";
import type { CallOptions } from "../options.ts";
import type { Proof } from "../recover.ts";
import { notShown } from "../shown.ts";

type Change = "registerApplePayDomains" | "removeApplePayDomains";

/** The gateway lists them in lower case. */
function listed(domains: readonly string[], isListed: boolean): Proof<Change> {
  return {
    isGiven: (list) => domains.every((domain) => list.domains.includes(domain.toLowerCase()) === isListed),
    otherwise: notShown(isListed ? "registration" : "removal"),
  };
}

export function walletDomainsOf(call: Call) {
  const list = (domains: readonly string[], isListed: boolean) =>
    ({ lists: "listApplePayDomains", proof: listed(domains, isListed) }) as const;
  return {
    list: (options?: CallOptions) => call("listApplePayDomains", {}, options),
    /** Registers all or none; the error's codes name each domain that fails its check. */
    register: (domains: readonly string[], options?: CallOptions) =>
      call("registerApplePayDomains", { body: { domains }, recovery: list(domains, true) }, options),
    remove: (domains: readonly string[], options?: CallOptions) =>
      call("removeApplePayDomains", { body: { domains }, recovery: list(domains, false) }, options),
    /** The text to serve at `/.well-known/apple-developer-merchantid-domain-association`. */
    association: (options?: CallOptions) => call("getApplePayAssociation", {}, options),
  };
}

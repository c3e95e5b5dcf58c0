import type { Call } from "../call.ts";
import type { CallOptions } from "../options.ts";

export function walletDomainsOf(call: Call) {
  const list = { lists: "listApplePayDomains" } as const;
  return {
    list: (options?: CallOptions) => call("listApplePayDomains", {}, options),
    /** Registers all or none; the error's codes name each domain that fails its check. */
    register: (domains: readonly string[], options?: CallOptions) =>
      call("registerApplePayDomains", { body: { domains }, recovery: list }, options),
    remove: (domains: readonly string[], options?: CallOptions) =>
      call("removeApplePayDomains", { body: { domains }, recovery: list }, options),
    /** The text to serve at `/.well-known/apple-developer-merchantid-domain-association`. */
    association: (options?: CallOptions) => call("getApplePayAssociation", {}, options),
  };
}

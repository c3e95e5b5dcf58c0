import type { Call } from "../call.ts";
import type { ChangeAccountBody } from "../generated/api.ts";
import type { CallOptions } from "../options.ts";

export function accountOf(call: Call) {
  return {
    get: (options?: CallOptions) => call("getAccount", {}, options),
    /** Takes any of its fields, in nested objects too. Only in the sandbox: a live account is the operator's to change. */
    update: (body: ChangeAccountBody, options?: CallOptions) =>
      call("changeAccount", { body, recovery: { reads: "getAccount" } }, options),
  };
}

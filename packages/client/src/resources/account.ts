import type { Call } from "../call.ts";
import type { ChangeAccountBody } from "../generated/api.ts";
import type { CallOptions } from "../options.ts";
import { shown } from "../shown.ts";

export function accountOf(call: Call) {
  return {
    get: (options?: CallOptions) => call("getAccount", {}, options),
    /** Changes any of its fields, nested ones too. Only in the sandbox: the operator changes a live account. */
    update: (body: ChangeAccountBody, options?: CallOptions) =>
      call(
        "changeAccount",
        { body, recovery: { reads: "getAccount", proof: shown("change", body) } },
        options,
      ),
  };
}

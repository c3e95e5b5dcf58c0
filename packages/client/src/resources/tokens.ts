import type { Call } from "../call.ts";
import type { CallOptions } from "../options.ts";

export function tokensOf(call: Call) {
  return {
    /**
     * A one-time token for one payer's page. A lost answer cannot be recovered, so another token is created; the first is
     * never used.
     */
    create: ({ paymentRequestId }: { readonly paymentRequestId: string }, options?: CallOptions) =>
      call("createToken", { body: { scope: "payui", paymentRequestId }, recovery: "again" }, options),
  };
}

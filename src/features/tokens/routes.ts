import { toIso } from "../../kernel/time.ts";
import type { Route } from "../../platform/http/route.ts";
import { type Caller, merchantRoute, ok } from "../merchants/index.ts";
import { createToken, unknownRequestProblems } from "./create-token.ts";
import { TokenAnswer, TokenBody } from "./wire.ts";

export const tokenRoutes: readonly Route<Caller>[] = [
  merchantRoute({
    method: "POST",
    path: "/tokens",
    name: "createToken",
    group: "One-time tokens",
    summary: "Create a one-time token for the embedded checkout",
    about:
      "From the merchant's server only. Expires after an hour, or with the payment request if that is sooner.",
    scope: "write",
    body: TokenBody,
    lookUp: (body, { caller, ctx }) => unknownRequestProblems(ctx, caller, body.paymentRequestId),
    answer: TokenAnswer,
    refusals: [
      "payment_request_state_conflict",
      "token_payment_request_id_invalid",
      "token_payment_request_flow_conflict",
    ],
    example: { scope: "payui", paymentRequestId: "pr_…" },
    run: async (ctx, { caller, body }) => {
      const { token, secret } = await createToken(ctx, caller, body.paymentRequestId);
      return {
        token: secret,
        tokenType: "onetimetoken" as const,
        scope: body.scope,
        expiryDateTime: toIso(token.expiresAt),
        result: ok(caller.mode),
      };
    },
  }),
];

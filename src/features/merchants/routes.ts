import { refuse } from "../../kernel/refusal.ts";
import type { Route } from "../../platform/http/route.ts";
import { accountProblems } from "./account-rules.ts";
import { type Caller, merchantRoute } from "./caller.ts";
import { changeAccount } from "./change-account.ts";
import type { AccountChange } from "./merchant.ts";
import { presentAccount } from "./present.ts";
import { findMerchant } from "./queries.ts";
import { AccountAnswer, AccountChangeInput } from "./wire.ts";

const GROUP = "Account";

export const merchantRoutes: readonly Route<Caller>[] = [
  merchantRoute({
    method: "GET",
    path: "/management/account",
    name: "getAccount",
    group: GROUP,
    summary: "Read the merchant account",
    about: "Name, country, currency, capabilities, allowed origins and surcharging.",
    scope: "read",
    answer: AccountAnswer,
    run: async (ctx, { caller }) =>
      presentAccount((await findMerchant(ctx.db, caller.merchantId)) ?? refuse("resource_not_found")),
  }),
  merchantRoute({
    method: "PUT",
    path: "/management/account",
    name: "changeAccount",
    group: GROUP,
    summary: "Change the merchant account",
    about:
      "Takes any subset of the fields, in nested objects too. Only the operator changes a live account, on the command line.",
    scope: "admin",
    body: AccountChangeInput,
    rules: (body, { caller }) => accountProblems(body, caller.merchant),
    answer: AccountAnswer,
    refusals: ["account_live_change_refused"],
    example: { surcharging: { enabled: true, rates: { visa: { percent: 1.2, fixed: 0 } } } },
    run: async (ctx, { caller, body }) =>
      presentAccount(await changeAccount(ctx, caller, body as AccountChange)),
  }),
];

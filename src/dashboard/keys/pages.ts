import { type ApiKey, createKey, listKeys, revokeKey } from "../../features/merchants/index.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import { SCOPES } from "../../platform/http/route.ts";
import { confirmedMerchantPages } from "../shell/confirmed-pages.ts";
import {
  type MerchantPage,
  type MerchantVisit,
  merchantPage,
  type PageAnswer,
  redirect,
} from "../shell/page.ts";
import { keysView, newKeyView, revocationOf } from "./view.ts";

const home = ({ base }: MerchantVisit) => `${base}/keys`;

export const keyPages: readonly MerchantPage[] = [
  merchantPage({ method: "GET", path: "/keys", right: "read", run: (ctx, visit) => showKeys(ctx, visit) }),
  merchantPage({
    method: "POST",
    path: "/keys/create",
    right: "manage",
    audit: "API key created",
    claimsOnce: true,
    run: async (ctx, visit) => {
      const scopes = SCOPES.filter((scope) => visit.fields[scope] === "on");
      if (scopes.length === 0) return showKeys(ctx, visit, "Choose at least one scope.");
      const { secret } = await ctx.db.transaction((tx) => createKey(ctx, tx, visit.merchant, scopes));
      return { title: "A new API key", section: "keys", content: newKeyView(secret, home(visit)) };
    },
  }),
  ...confirmedMerchantPages("keys", {
    path: "/keys/{apiKeyId}/revoke",
    right: "manage",
    audit: "API key revoked",
    backTo: home,
    confirm: async (ctx, visit) => {
      const keys = await listKeys(ctx.db, visit.merchant.id);
      const key = keyOf(visit, keys);
      const others = keys.filter(({ id, revokedAt }) => id !== key.id && revokedAt === null).length;
      return revocationOf(key, others);
    },
    run: async (ctx, visit) => {
      const { id } = keyOf(visit, await listKeys(ctx.db, visit.merchant.id));
      await revokeKey(ctx, id);
      return redirect(home(visit), "The key is revoked, on every node within seconds.");
    },
  }),
];

function keyOf({ params }: MerchantVisit<"{apiKeyId}">, keys: readonly ApiKey[]): ApiKey {
  return keys.find(({ id }) => id === params.apiKeyId) ?? refuse("resource_not_found");
}

async function showKeys(ctx: Context, visit: MerchantVisit, problem?: string): Promise<PageAnswer> {
  const content = keysView(visit, await listKeys(ctx.db, visit.merchant.id), problem);
  return { title: "API keys", section: "keys", content, status: problem === undefined ? 200 : 400 };
}

import { createKey, listKeys, revokeKey, zoneOf } from "../../features/merchants/index.ts";
import { parseId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import { SCOPES } from "../../platform/http/route.ts";
import type { MerchantPage, MerchantVisit, PageAnswer } from "../shell/visit.ts";
import { keyList, newKeyShown, revokeStep, type ShownKey } from "./view.ts";

export const keyPages: readonly MerchantPage[] = [
  { method: "GET", path: "/keys", may: "read", run: (ctx, visit) => showKeys(ctx, visit) },
  {
    method: "POST",
    path: "/keys/create",
    may: "manage",
    audit: "API key created",
    claimsOnce: true,
    run: async (ctx, visit) => {
      const scopes = SCOPES.filter((scope) => visit.fields[scope] === "on");
      if (scopes.length === 0) return showKeys(ctx, visit, "Choose at least one scope.");
      const { secret } = await ctx.db.transaction((tx) => createKey(ctx, tx, visit.merchant, scopes));
      return { title: "A new API key", section: "keys", content: newKeyShown(secret, `${visit.base}/keys`) };
    },
  },
  {
    method: "GET",
    path: "/keys/:keyId/revoke",
    may: "manage",
    run: async (ctx, visit) => {
      const { base, formToken } = visit;
      const keys = await keysShown(ctx, visit);
      const key = keys.find(({ id }) => id === visit.params["keyId"]) ?? refuse("resource_not_found");
      const others = keys.filter(({ id, revokedAt }) => id !== key.id && revokedAt === undefined).length;
      const content = revokeStep({ base, formToken, key, others });
      return { title: "Revoke the key?", section: "keys", content };
    },
  },
  {
    method: "POST",
    path: "/keys/:keyId/revoke",
    may: "manage",
    audit: "API key revoked",
    back: ({ base }) => `${base}/keys`,
    run: async (ctx, { merchant, params, base }) => {
      const id = parseId("apiKey", params["keyId"] ?? "") ?? refuse("resource_not_found");
      const own = (await listKeys(ctx.db, merchant.id)).some((key) => key.id === id);
      if (!own) refuse("resource_not_found");
      await revokeKey(ctx, id);
      return {
        goTo: `${base}/keys`,
        say: { tone: "good", words: "The key is revoked, on every node within seconds." },
      };
    },
  },
];

async function keysShown(ctx: Context, { merchant }: MerchantVisit): Promise<readonly ShownKey[]> {
  return (await listKeys(ctx.db, merchant.id)).map(({ id, hint, scopes, createdAt, revokedAt }) => ({
    id,
    hint,
    scopes,
    createdAt,
    revokedAt: revokedAt ?? undefined,
  }));
}

async function showKeys(ctx: Context, visit: MerchantVisit, problem?: string): Promise<PageAnswer> {
  const { base, formToken } = visit;
  const keys = await keysShown(ctx, visit);
  const content = keyList({
    base,
    formToken,
    zone: zoneOf(visit.merchant),
    keys,
    mayManage: visit.may("manage"),
    problem,
  });
  return { title: "API keys", section: "keys", content, ...(problem === undefined ? {} : { status: 400 }) };
}

import {
  type ApiKey,
  createKey,
  isActive,
  keyLimitsOf,
  listKeys,
  revokeKey,
} from "../../features/merchants/index.ts";
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
import { keysView, newKeyView, type RefusedKey, revocationOf } from "./view.ts";

const home = ({ base }: MerchantVisit) => `${base}/keys`;

export const keyPages: readonly MerchantPage[] = [
  merchantPage({ method: "GET", path: "/keys", right: "read", run: (ctx, visit) => showKeys(ctx, visit) }),
  merchantPage({
    method: "POST",
    path: "/keys/create",
    right: "manage",
    needsProof: true,
    audit: "API key created",
    claimsOnce: true,
    run: async (ctx, visit) => {
      const scopes = SCOPES.filter((scope) => visit.fields[scope] === "on");
      const typed = {
        scopes,
        expires: filled(visit.fields["expires"]),
        addresses: filled(visit.fields["addresses"]),
      };
      const outcome = keyLimitsOf(typed, ctx.now());
      const limitProblems = "problems" in outcome ? outcome.problems : {};
      if (scopes.length === 0 || "problems" in outcome) {
        const problems = {
          scopes: scopes.length === 0 ? "Choose at least one scope." : undefined,
          expires: sentenceOf(limitProblems.expires),
          addresses: sentenceOf(limitProblems.addresses),
        };
        return showKeys(ctx, visit, { problems, typed });
      }
      const { limits } = outcome;
      const { secret } = await ctx.db.transaction((tx) =>
        createKey(ctx, tx, visit.merchant, { scopes, ...limits }),
      );
      return { title: "A new API key", section: "keys", content: newKeyView(secret, home(visit)) };
    },
  }),
  ...confirmedMerchantPages("keys", {
    path: "/keys/{apiKeyId}/revoke",
    right: "manage",
    needsProof: true,
    audit: "API key revoked",
    backTo: home,
    confirm: async (ctx, visit) => {
      const keys = await listKeys(ctx.db, visit.merchant.id);
      const key = keyOf(visit, keys);
      const others = keys.filter((one) => one.id !== key.id && isActive(one, ctx.now())).length;
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

function filled(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text;
}

/** What the field must be, as a sentence of its own. */
function sentenceOf(problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : `It ${problem}.`;
}

async function showKeys(ctx: Context, visit: MerchantVisit, refused?: RefusedKey): Promise<PageAnswer> {
  const keys = await listKeys(ctx.db, visit.merchant.id);
  const now = ctx.now();
  const like = keys.find((key) => key.id === visit.query["like"] && isActive(key, now));
  const content = keysView({ visit, keys, refused, like, now });
  return { title: "API keys", section: "keys", content, status: refused === undefined ? 200 : 400 };
}

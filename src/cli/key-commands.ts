import { createKey, listKeys, revokeKey } from "../features/merchants/index.ts";
import { parseId } from "../kernel/ids.ts";
import { toIso } from "../kernel/time.ts";
import { SCOPES, type Scope } from "../platform/http/route.ts";
import { getMerchant } from "./choose-merchant.ts";
import { type Command, CommandProblem, optionOf, UsageProblem } from "./command.ts";

const MERCHANT = {
  value: "id",
  about: "The merchant's id; `merchant list` lists all.",
  required: true,
} as const;

export const KEY_COMMANDS: readonly Command[] = [
  {
    name: "key create",
    about: "Create an API key. It is shown only once.",
    options: {
      merchant: MERCHANT,
      scopes: { value: "list", about: `Comma-separated: ${SCOPES.join(", ")}.`, default: "read,write" },
    },
    examples: ["key create --merchant mer_…", "key create --merchant mer_… --scopes read --json"],
    run: async (ctx, args) => {
      const merchant = await getMerchant(ctx, optionOf(args, "merchant"));
      const scopes = scopesOf(optionOf(args, "scopes"));
      const { key, secret } = await ctx.db.transaction((tx) => createKey(ctx, tx, merchant, scopes));
      return {
        json: { keyId: key.id, apiKey: secret },
        lines: [`Key       ${key.id}`, `API key   ${secret}   (shown only once)`],
      };
    },
  },
  {
    name: "key list",
    about: "List a merchant's API keys, each by its last four characters.",
    options: { merchant: MERCHANT },
    examples: ["key list --merchant mer_…"],
    run: async (ctx, args) => {
      const merchant = await getMerchant(ctx, optionOf(args, "merchant"));
      const keys = (await listKeys(ctx.db, merchant.id)).map(
        ({ id, hint, scopes, createdAt, revokedAt }) => ({
          keyId: id,
          hint,
          scopes,
          createdDateTime: toIso(createdAt),
          revokedDateTime: revokedAt === null ? null : toIso(revokedAt),
        }),
      );
      const lines = keys.map(
        (key) =>
          `${key.keyId}  …${key.hint}  ${key.scopes.join(",")}${key.revokedDateTime === null ? "" : "  revoked"}`,
      );
      return { json: { keys }, lines };
    },
  },
  {
    name: "key revoke",
    about: "Revoke an API key, on every node within 5 seconds.",
    positional: "keyId",
    options: {},
    examples: ["key revoke key_…"],
    run: async (ctx, args) => {
      const id = parseId("apiKey", args.positionals[0] ?? "");
      const key = id && (await revokeKey(ctx, id));
      if (key === undefined)
        throw new CommandProblem("there is no key with that id; `key list --merchant …` lists all");
      return {
        json: { keyId: key.id, revokedDateTime: toIso(key.revokedAt ?? ctx.now()) },
        lines: [`Key  ${key.id}  is revoked.`],
      };
    },
  },
];

function scopesOf(text: string): readonly Scope[] {
  const scopes = text.split(",").map((one) => one.trim());
  const unknown = scopes.filter((one) => !SCOPES.some((scope) => scope === one));
  if (unknown.length > 0)
    throw new UsageProblem(`--scopes takes a comma-separated list of: ${SCOPES.join(", ")}`);
  return SCOPES.filter((scope) => scopes.includes(scope));
}

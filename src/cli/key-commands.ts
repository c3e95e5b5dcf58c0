import {
  type ApiKey,
  createKey,
  isExpired,
  type KeyLimits,
  keyLimitsOf,
  listKeys,
  revokeKey,
} from "../features/merchants/index.ts";
import { parseId } from "../kernel/ids.ts";
import { type Instant, toIso } from "../kernel/time.ts";
import { SCOPES, type Scope } from "../platform/http/route.ts";
import { getMerchant } from "./choose-merchant.ts";
import { type Command, CommandProblem, optionOf, type ParsedArguments, UsageProblem } from "./command.ts";

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
      expires: { value: "time", about: "The key is refused from then on, such as 2027-06-30T12:00:00Z." },
      addresses: {
        value: "list",
        about: "Comma-separated CIDR ranges from which the key works; any address without it.",
      },
    },
    examples: [
      "key create --merchant mer_…",
      "key create --merchant mer_… --scopes read --json",
      "key create --merchant mer_… --expires 2999-12-31T00:00:00Z --addresses 203.0.113.7,10.0.0.0/8",
    ],
    run: async (ctx, args) => {
      const merchant = await getMerchant(ctx, optionOf(args, "merchant"));
      const scopes = scopesOf(optionOf(args, "scopes"));
      const limits = limitsOf(args, ctx.now());
      const { key, secret } = await ctx.db.transaction((tx) =>
        createKey(ctx, tx, merchant, { scopes, ...limits }),
      );
      return {
        json: { keyId: key.id, apiKey: secret },
        lines: [`Key       ${key.id}`, `API key   ${secret}   (shown only once)`],
      };
    },
  },
  {
    name: "key list",
    reads: true,
    about:
      "List a merchant's API keys, each by its last four characters, with its limits and the minute of its last use.",
    options: { merchant: MERCHANT },
    examples: ["key list --merchant mer_…"],
    run: async (ctx, args) => {
      const merchant = await getMerchant(ctx, optionOf(args, "merchant"));
      const found = await listKeys(ctx.db, merchant.id);
      const keys = found.map((key) => ({
        keyId: key.id,
        hint: key.hint,
        scopes: key.scopes,
        createdDateTime: toIso(key.createdAt),
        revokedDateTime: isoOrNull(key.revokedAt),
        expiryDateTime: isoOrNull(key.expiresAt),
        addresses: key.addresses,
        lastUsedDateTime: isoOrNull(key.lastUsedAt),
      }));
      const now = ctx.now();
      return { json: { keys }, lines: found.map((key) => lineOf(key, now)) };
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

function limitsOf(args: ParsedArguments, now: Instant): KeyLimits {
  const outcome = keyLimitsOf(args.options, now);
  if ("limits" in outcome) return outcome.limits;
  const messages = Object.entries(outcome.problems).map(([name, problem]) => `--${name} ${problem}`);
  throw new UsageProblem(messages.join("; "));
}

function lineOf(key: ApiKey, now: Instant): string {
  const state =
    key.revokedAt !== null
      ? ["revoked"]
      : key.expiresAt === null
        ? []
        : [`${isExpired(key, now) ? "expired" : "expires"} ${toIso(key.expiresAt)}`];
  const used = key.lastUsedAt === null ? "never used" : `last used ${toIso(key.lastUsedAt).slice(0, 16)}Z`;
  const from = key.addresses.length === 0 ? [] : [`from ${key.addresses.join(",")}`];
  return [key.id, `…${key.hint}`, key.scopes.join(","), ...state, ...from, used].join("  ");
}

function isoOrNull(moment: Instant | null): string | null {
  return moment === null ? null : toIso(moment);
}

function scopesOf(text: string): readonly Scope[] {
  const scopes = text.split(",").map((one) => one.trim());
  const unknown = scopes.filter((one) => !SCOPES.some((scope) => scope === one));
  if (unknown.length > 0)
    throw new UsageProblem(`--scopes takes a comma-separated list of: ${SCOPES.join(", ")}`);
  return SCOPES.filter((scope) => scopes.includes(scope));
}

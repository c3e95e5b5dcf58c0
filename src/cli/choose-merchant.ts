import {
  findMerchant,
  listMerchants,
  type Merchant,
  type RequestCaller,
} from "../features/merchants/index.ts";
import { parseId } from "../kernel/ids.ts";
import type { Context } from "../platform/context.ts";
import { SCOPES } from "../platform/http/route.ts";
import { CommandProblem, type ParsedArguments } from "./command.ts";

/** The option that `chooseMerchant` reads. */
export const MERCHANT_OPTION = {
  value: "id",
  about: "The merchant's id; `merchant list` lists all. Default: the only one.",
} as const;

/** Returns the merchant with that id, or fails with one line. */
export async function getMerchant(ctx: Context, text: string): Promise<Merchant> {
  const id = parseId("merchant", text);
  const merchant = id && (await findMerchant(ctx.db, id));
  if (merchant === undefined)
    throw new CommandProblem("there is no merchant with that id; `merchant list` lists all");
  return merchant;
}

/** Returns the merchant of `--merchant`; without the option, the only one. */
export async function chooseMerchant(
  ctx: Context,
  args: ParsedArguments,
  mode?: Merchant["mode"],
): Promise<Merchant> {
  const named = args.options["merchant"];
  const kind = mode === undefined ? "merchant" : `${mode} merchant`;
  if (named !== undefined) {
    const merchant = await getMerchant(ctx, named);
    if (mode === undefined || merchant.mode === mode) return merchant;
    throw new CommandProblem(
      `that merchant is ${merchant.mode}, and this command needs a ${kind}; \`merchant list\` lists all`,
    );
  }
  const [only, ...more] = (await listMerchants(ctx.db)).filter(
    (one) => mode === undefined || one.mode === mode,
  );
  if (only === undefined)
    throw new CommandProblem(`there is no ${kind} yet; \`merchant create --name "My shop"\` creates one`);
  if (more.length > 0)
    throw new CommandProblem(
      `there are ${more.length + 1} ${kind}s; choose one with --merchant, \`merchant list\` lists all`,
    );
  return only;
}

/** The option that `chooseMerchantOrFirst` reads. */
export const MERCHANT_OR_FIRST_OPTION = {
  value: "id",
  about:
    "The merchant's id; `merchant list` lists all. Default: the only one, or of several the sandbox merchant of the first start.",
} as const;

/**
 * Returns the merchant of `--merchant`; without the option, the only one, or of several the oldest sandbox merchant, which
 * the first start made. For commands that do no harm at a sandbox merchant.
 */
export async function chooseMerchantOrFirst(ctx: Context, args: ParsedArguments): Promise<Merchant> {
  if (args.options["merchant"] !== undefined) return chooseMerchant(ctx, args);
  const all = await listMerchants(ctx.db);
  const first = all.find(({ mode }) => mode === "sandbox");
  return all.length > 1 && first !== undefined ? first : chooseMerchant(ctx, args);
}

/** The operator as a caller of this merchant. */
export function callerFor(merchant: Merchant): RequestCaller {
  return {
    merchantId: merchant.id,
    merchant,
    mode: merchant.mode,
    scopes: SCOPES,
    keyId: "operator",
    requestId: "operator",
    idempotencyKey: undefined,
  };
}

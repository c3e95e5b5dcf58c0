import {
  findMerchant,
  listMerchants,
  type Merchant,
  type RequestCaller,
} from "../features/merchants/index.ts";
import { parseId } from "../kernel/ids.ts";
import type { Context } from "../platform/context.ts";
import { SCOPES } from "../platform/http/route.ts";
import { CommandProblem, type Given } from "./command.ts";

/** The option that `chooseMerchant` reads. */
export const WHOSE = {
  value: "id",
  about: "The merchant's id; `merchant list` shows all. Left out: the only one.",
} as const;

/** The merchant with that id, or one line that says that there is none. */
export async function getMerchant(ctx: Context, text: string): Promise<Merchant> {
  const id = parseId("merchant", text);
  const merchant = id && (await findMerchant(ctx.db, id));
  if (merchant === undefined)
    throw new CommandProblem("there is no merchant with that id; `merchant list` shows all");
  return merchant;
}

/** The merchant that `--merchant` names; without it, the only one there is. */
export async function chooseMerchant(ctx: Context, given: Given, mode?: Merchant["mode"]): Promise<Merchant> {
  const named = given.options["merchant"];
  const kind = mode === undefined ? "merchant" : `${mode} merchant`;
  if (named !== undefined) {
    const merchant = await getMerchant(ctx, named);
    if (mode === undefined || merchant.mode === mode) return merchant;
    throw new CommandProblem(
      `that merchant is ${merchant.mode}, and this is for a ${kind}; \`merchant list\` shows all`,
    );
  }
  const [only, ...more] = (await listMerchants(ctx.db)).filter(
    (one) => mode === undefined || one.mode === mode,
  );
  if (only === undefined)
    throw new CommandProblem(`there is no ${kind} yet; \`merchant create --name "My shop"\` makes one`);
  if (more.length > 0)
    throw new CommandProblem(
      `there are ${more.length + 1} ${kind}s; say which by --merchant, \`merchant list\` shows all`,
    );
  return only;
}

/** The operator, in a merchant's place. */
export function inPlaceOf(merchant: Merchant): RequestCaller {
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

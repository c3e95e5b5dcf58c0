import type { Mode } from "../../kernel/mode.ts";
import type { Context } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { findMerchant, type Merchant } from "../merchants/index.ts";
import { findLastPayId, findOpenPayId, type PayIdHolder, payIdValue } from "../payment-requests/index.ts";

/** The payment request that a transfer to a PayID is for. */
export type Holder = {
  readonly merchant: Merchant;
  readonly requestId: PayIdHolder["id"];
  /** It was open when it was read. */
  readonly isOpen: boolean;
};

/** The open request of that PayID, else the last that had it. Undefined when no merchant of this mode had it. */
export async function findHolder(
  { settings }: Pick<Context, "settings">,
  tx: Tx,
  mode: Mode,
  payId: string,
): Promise<Holder | undefined> {
  const value = payIdValue(payId, settings.payIdDomain);
  if (value === undefined) return undefined;
  const open = await findOpenPayId(tx, value);
  const found = open ?? (await findLastPayId(tx, value));
  const merchant = found && (await findMerchant(tx, found.merchantId));
  if (found === undefined || merchant?.mode !== mode) return undefined;
  return { merchant, requestId: found.id, isOpen: open !== undefined };
}

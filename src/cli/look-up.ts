import { findMerchant, type Merchant } from "../features/merchants/index.ts";
import { parseId } from "../kernel/ids.ts";
import type { World } from "../platform/world.ts";
import { CommandProblem } from "./command.ts";

/** The merchant with that id, or one line that says that there is none. */
export async function getMerchant(world: World, text: string): Promise<Merchant> {
  const id = parseId("merchant", text);
  const merchant = id && (await findMerchant(world.db, id));
  if (merchant === undefined)
    throw new CommandProblem("there is no merchant with that id; `merchant list` shows all");
  return merchant;
}

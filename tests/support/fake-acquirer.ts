import type { CardAcquirer } from "../../src/connectors/ports/card-acquirer.ts";
import type { Context } from "../../src/platform/context.ts";

/** A context in which the sandbox's acquirer serves live merchants, too: as if the operator had connected one. */
export function withLiveAcquirer(ctx: Context): Context {
  const getCardAcquirer = () => ctx.connectors.getCardAcquirer({ mode: "sandbox" });
  return { ...ctx, connectors: { ...ctx.connectors, getCardAcquirer } };
}

/** A context whose card acquirer answers some calls differently. The change is read at every call. */
export function withAcquirer(
  ctx: Context,
  change: (acquirer: CardAcquirer) => Partial<CardAcquirer>,
): Context {
  const getCardAcquirer: Context["connectors"]["getCardAcquirer"] = (merchant) => {
    const acquirer = ctx.connectors.getCardAcquirer(merchant);
    return { ...acquirer, ...change(acquirer) };
  };
  return { ...ctx, connectors: { ...ctx.connectors, getCardAcquirer } };
}

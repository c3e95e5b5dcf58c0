import { cardLabel } from "../../browser/ui/saved-cards.ts";
import { getSession, type PageView, removeSavedCard } from "../features/checkout/index.ts";
import { Refusal } from "../kernel/refusal.ts";
import type { Context } from "../platform/context.ts";
import type { FormFields } from "../platform/http/form-posts.ts";
import { modelOf, openingOf } from "./present-page.ts";
import { pageAddresses } from "./present-status.ts";
import type { PageReply } from "./send-page.ts";
import { hostedPanel } from "./views/panels.ts";

/** Removes a saved card by plain form post, after the payer has confirmed it. */
export async function removeCard(ctx: Context, view: PageView, fields: FormFields): Promise<PageReply> {
  const { page, remove } = pageAddresses(view);
  const { cards, allowRemoval } = openingOf(view).saved;
  const card = cards.find(({ id }) => id === fields["id"]);
  if (view.standing !== "open" || !allowRemoval || card === undefined) return { redirectTo: page };
  if (fields["confirmed"] === undefined) {
    const label = cardLabel(card);
    const content = hostedPanel(
      {
        picture: "careful",
        heading: "Remove this card?",
        words: [`Your ${label} is removed for good. You can enter it again when you pay.`],
      },
      {
        button: { action: remove, label: `Remove ${label}`, hidden: { id: card.id, confirmed: "yes" } },
        keepAt: page,
      },
    );
    return { status: 200, view, model: modelOf(view, { state: "ready", content }) };
  }
  try {
    await removeSavedCard(ctx, await getSession(ctx, view.session), card.id);
  } catch (error) {
    // The page shows why.
    if (!(error instanceof Refusal)) throw error;
  }
  return { redirectTo: page };
}

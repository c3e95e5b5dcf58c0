import { getSession, removeSavedCard } from "../features/checkout/index.ts";
import { cardLabel } from "../kernel/languages/card-label.ts";
import { fill } from "../kernel/languages/speech.ts";
import { Refusal } from "../kernel/refusal.ts";
import type { Context } from "../platform/context.ts";
import type { FormFields } from "../platform/http/form-posts.ts";
import type { PayersView } from "./payers-view.ts";
import { modelOf, openingOf } from "./present-page.ts";
import { pageAddresses } from "./present-status.ts";
import type { PageReply } from "./send-page.ts";
import { hostedPanel } from "./views/panels.ts";

/** Removes a saved card by plain form post, after the payer has confirmed it. */
export async function removeCard(ctx: Context, view: PayersView, fields: FormFields): Promise<PageReply> {
  const { page, remove } = pageAddresses(view);
  const { cards, allowRemoval } = openingOf(view).saved;
  const card = cards.find(({ id }) => id === fields["id"]);
  if (view.standing !== "open" || !allowRemoval || card === undefined) return { redirectTo: page };
  if (fields["confirmed"] === undefined) {
    const { page: words } = view.language;
    const label = { card: cardLabel(view.speech.words, card) };
    const content = hostedPanel(
      view,
      {
        picture: "careful",
        heading: words.removeThisCard,
        words: [fill(words.removedForGood, label)],
      },
      {
        button: {
          action: remove,
          label: fill(words.removeCard, label),
          hidden: { id: card.id, confirmed: "yes" },
        },
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

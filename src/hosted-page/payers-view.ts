import type { PageView } from "../features/checkout/index.ts";
import type { Catalogue } from "../kernel/languages/catalogue.ts";
import { languageFor, spoken } from "../kernel/languages/languages.ts";
import { type Speech, speechIn } from "../kernel/languages/speech.ts";

/** A hosted page's state in its payer's language. */
export type PayersView = PageView & { readonly language: Catalogue; readonly speech: Speech };

/** The payment request's `locale` decides; without one, what the browser prefers. */
export function viewFor(view: PageView, acceptLanguage: string | undefined): PayersView {
  const language = languageFor(view.request.details.locale, acceptLanguage);
  return { ...view, language, speech: speechIn(spoken(language), view.request.currency) };
}

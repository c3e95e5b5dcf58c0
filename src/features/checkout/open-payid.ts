import { languageFor } from "../../kernel/languages/languages.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import { pageKeyOfToken } from "../hosted-pages/index.ts";
import { ok } from "../merchants/index.ts";
import type { InitialiseInput } from "./initialise.ts";
import { languageFacts, presentPayId, presentPayIdState } from "./present-payid.ts";
import { type PayIdView, viewPayId } from "./view-payid.ts";

export async function openPayId(
  ctx: Context,
  { token, parentOrigin, locale, language: known }: InitialiseInput,
  acceptLanguage: string | undefined,
): Promise<object> {
  const view = await viewOfToken(ctx, token);
  const { allowedOrigins } = view.merchant;
  if (allowedOrigins.length > 0 && !allowedOrigins.includes(parentOrigin))
    refuse("checkout_origin_refused", "/parentOrigin");
  const language = languageFor(locale ?? view.request.details.locale, acceptLanguage);
  return {
    ...presentPayId(view, language, ctx.settings),
    ...(language.tag === known ? {} : { language: languageFacts(language) }),
    result: ok(view.merchant.mode),
  };
}

/** What can have changed since the panel was opened. */
export async function readPayIdState(
  ctx: Context,
  token: string | undefined,
  locale: string | undefined,
): Promise<object> {
  const view = await viewOfToken(ctx, token ?? "");
  const state = presentPayIdState(view, languageFor(locale, undefined), ctx.settings);
  return { ...state, result: ok(view.merchant.mode) };
}

async function viewOfToken(ctx: Context, token: string): Promise<PayIdView> {
  const pageKey = pageKeyOfToken(token) ?? refuse("checkout_token_refused", "/token");
  return (await viewPayId(ctx, pageKey)) ?? refuse("checkout_token_refused", "/token");
}

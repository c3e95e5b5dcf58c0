import {
  allowedValues,
  allowsValue,
  isTheme,
  THEME_VARIABLES,
  type ThemeVariable,
} from "../../../browser/protocol/theme-variables.ts";
import { later, MINUTE, toIso } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { FormFields } from "../../platform/http/form-posts.ts";
import type { MerchantPage, MerchantVisit, PageAnswer, Refused } from "../shell/visit.ts";
import { themePage } from "./theme-view.ts";

/** Long enough to look at colours; what is left of a preview then expires by itself. */
const PREVIEW_LIFE = 15 * MINUTE;
const PREVIEW_AMOUNT = 12_850;

/** The look of the checkout, tried on a real one: a sandbox payment request and a token, shown by our own loader. */
export const themePages: readonly MerchantPage[] = [
  { method: "GET", path: "/settings/look", may: "read", run: async (ctx, visit) => showTheme(ctx, visit) },
  {
    method: "POST",
    path: "/settings/look/preview",
    may: "act",
    audit: "look of the checkout previewed",
    again: showTheme,
    run: async (ctx, visit) => {
      const { look, problems } = readTheme(visit.fields);
      if (Object.keys(problems).length > 0) return { status: 400, ...(await showTheme(ctx, visit)) };
      return showTheme(ctx, visit, undefined, { look, token: await makeToken(ctx, visit) });
    },
  },
];

type UiOptions = { readonly theme?: string; readonly variables: Readonly<Record<string, string>> };
type Preview = { readonly look: UiOptions; readonly token: string };

async function makeToken(ctx: Context, { caller, merchant, callApi }: MerchantVisit): Promise<string> {
  // A page that is loaded again shows a new preview: nothing here must happen once only.
  const each = { ...caller, idempotencyKey: undefined };
  const request = (await callApi(ctx, each, "createPaymentRequest", {
    body: {
      reference: "Preview of the checkout",
      payment: { amount: PREVIEW_AMOUNT },
      paymentMethods: ["card"],
      transactionRequest: {},
      expiryDateTime: toIso(later(clockOf(ctx, merchant), PREVIEW_LIFE)),
    },
  })) as { readonly id: string };
  const body = { scope: "payui", paymentRequestId: request.id };
  return ((await callApi(ctx, each, "createToken", { body })) as { readonly token: string }).token;
}

/** Only what was chosen: what is left empty keeps its own value. */
function readTheme(fields: FormFields): { look: UiOptions; problems: Readonly<Record<string, string>> } {
  const variables: Record<string, string> = {};
  const problems: Record<string, string> = {};
  for (const name of THEME_VARIABLES) {
    const value = (fields[name] ?? "").trim();
    if (value === "") continue;
    if (allowsValue(name, value)) variables[name] = value;
    else problems[name] = sentence(allowedValues(name));
  }
  const theme = isTheme(fields["theme"]) ? { theme: fields["theme"] } : {};
  return { look: { ...theme, variables }, problems };
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

async function showTheme(
  ctx: Context,
  visit: MerchantVisit,
  refused?: Refused,
  preview?: Preview,
): Promise<Exclude<PageAnswer, { goTo: string }>> {
  const { base, formToken, fields } = visit;
  const { baseUrl, hostedUrl } = ctx.settings;
  const content = themePage({
    base,
    formToken,
    fields,
    variables: THEME_VARIABLES.map((name: ThemeVariable) => ({
      name,
      allowed: sentence(allowedValues(name)),
    })),
    problems: readTheme(fields).problems,
    obstacle: obstacleOf(visit, baseUrl),
    preview: preview && { ...preview, loader: `${hostedUrl}/static/pay/js/payui.js` },
  });
  return {
    title: "Look of the checkout",
    section: "settings",
    content,
    ...(refused === undefined ? {} : { notice: { tone: "bad", words: refused.words } as const }),
    ...(preview === undefined
      ? {}
      : { allow: { "script-src": `'self' ${hostedUrl}`, "frame-src": hostedUrl } }),
  };
}

/** Why nothing can be shown here, if so. The merchant's own rules hold on this page, too. */
function obstacleOf({ merchant, may }: MerchantVisit, baseUrl: string): string | undefined {
  if (merchant.mode === "live")
    return "The preview takes a payment request, so only a sandbox merchant has one. The look is the same.";
  if (!may("act")) return "Your role can't make the payment request that a preview needs.";
  const { allowedOrigins } = merchant;
  if (allowedOrigins.length === 0 || allowedOrigins.includes(baseUrl)) return undefined;
  return `The settings name the pages that may embed the checkout. Add ${baseUrl} to them to see it here.`;
}

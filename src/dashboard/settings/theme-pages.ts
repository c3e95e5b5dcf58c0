import { changeTheme, type DefaultTheme } from "../../features/merchants/index.ts";
import { isTheme, THEME_VARIABLES } from "../../kernel/theme-variables.ts";
import { later, MINUTE, toIso } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import type { FormFields } from "../../platform/http/form-posts.ts";
import {
  type MerchantPage,
  type MerchantVisit,
  merchantPage,
  type PageAnswer,
  redirect,
} from "../shell/page.ts";
import { themeProblem } from "./theme-problems.ts";
import { type ThemePreview, themeView } from "./theme-view.ts";

/** Long enough to compare colours; after that the preview's payment request expires. */
const PREVIEW_LIFE = 15 * MINUTE;
const PREVIEW_AMOUNT = 12_850;

/** The loader of this release: its path on the hosted pages' origin and the hash of its bytes. */
type LoaderFile = { readonly path: string; readonly integrity: string };

/** Previews the theme of the checkout on a real one: a sandbox payment request and a token, shown by our loader. */
export const themePages = (loaderFile: LoaderFile): readonly MerchantPage[] => [
  merchantPage({
    method: "GET",
    path: "/settings/theme",
    right: "read",
    run: async (ctx, visit) => showTheme(ctx, visit),
  }),
  merchantPage({
    method: "POST",
    path: "/settings/theme/save",
    right: "manage",
    audit: "default theme saved",
    run: saveTheme,
  }),
  merchantPage({
    method: "POST",
    path: "/settings/theme/preview",
    right: "act",
    audit: "theme of the checkout previewed",
    onRefused: async (ctx, visit, { words }) => ({
      ...showTheme(ctx, visit),
      notice: { tone: "bad", words },
    }),
    run: async (ctx, visit) => {
      // The page offers no preview then, but an older one may have, or a request comes without one.
      const obstacle = obstacleOf(ctx, visit);
      if (obstacle !== undefined)
        return { ...showTheme(ctx, visit), status: 409, notice: { tone: "bad", words: obstacle } };
      const { ui, problems } = readTheme(visit.fields);
      if (Object.keys(problems).length > 0) return { ...showTheme(ctx, visit), status: 400 };
      const { hostedUrl } = ctx.settings;
      const loader = { src: hostedUrl + loaderFile.path, integrity: loaderFile.integrity };
      return {
        ...showTheme(ctx, visit, { ui, loader, token: await createToken(ctx, visit) }),
        allow: { "script-src": `'self' ${hostedUrl}`, "frame-src": hostedUrl },
      };
    },
  }),
];

async function saveTheme(ctx: Context, visit: MerchantVisit): Promise<PageAnswer> {
  const { ui, problems } = readTheme(visit.fields);
  if (Object.keys(problems).length > 0) return { ...showTheme(ctx, visit), status: 400 };
  const isEmpty = ui.theme === undefined && Object.keys(ui.variables).length === 0;
  await changeTheme(ctx, visit.merchant.id, isEmpty ? null : ui);
  return redirect(
    `${visit.base}/settings/theme`,
    isEmpty
      ? "The default theme is removed."
      : "Saved. Checkouts and hosted pages use it where your page sets nothing else.",
  );
}

async function createToken(ctx: Context, { caller, callApi, now }: MerchantVisit): Promise<string> {
  // A page that is loaded again shows a new preview, so no idempotency key applies.
  const each = { ...caller, idempotencyKey: undefined };
  const request = (await callApi(ctx, each, "createPaymentRequest", {
    body: {
      reference: "Preview of the checkout",
      payment: { amount: PREVIEW_AMOUNT },
      paymentMethods: ["card"],
      transactionRequest: {},
      expiryDateTime: toIso(later(now, PREVIEW_LIFE)),
    },
  })) as { readonly id: string };
  const body = { scope: "payui", paymentRequestId: request.id };
  return ((await callApi(ctx, each, "createToken", { body })) as { readonly token: string }).token;
}

/** An empty field keeps the variable's default. */
function readTheme(fields: FormFields): { ui: DefaultTheme; problems: Readonly<Record<string, string>> } {
  const variables: Record<string, string> = {};
  const problems: Record<string, string> = {};
  for (const name of THEME_VARIABLES) {
    const value = (fields[name] ?? "").trim();
    if (value === "") continue;
    const problem = themeProblem(name, value);
    if (problem === undefined) variables[name] = value;
    else problems[name] = problem;
  }
  const theme = isTheme(fields["theme"]) ? { theme: fields["theme"] } : {};
  return { ui: { ...theme, variables }, problems };
}

type ShownPage = Extract<PageAnswer, { title: string }>;

function showTheme(ctx: Context, visit: MerchantVisit, preview?: ThemePreview): ShownPage {
  const { problems } = readTheme(visit.fields);
  const obstacle = obstacleOf(ctx, visit);
  return {
    title: "Theme of the checkout",
    section: "settings",
    content: themeView(visit, { problems, obstacle, preview }),
  };
}

/** Why there can be no preview, if so. The merchant's allowed origins apply to this page, too. */
function obstacleOf({ settings }: Context, { merchant, may }: MerchantVisit): string | undefined {
  if (merchant.mode === "live")
    return "The preview needs a payment request, so only a sandbox merchant has one. Themes are the same in live mode.";
  if (!may("act")) return "Your role can't create the payment request that a preview needs.";
  const { allowedOrigins } = merchant;
  const { dashboardUrl } = settings;
  if (allowedOrigins.length === 0 || allowedOrigins.includes(dashboardUrl)) return undefined;
  return `The settings name the pages that may embed the checkout. Add ${dashboardUrl} to them to see it here.`;
}

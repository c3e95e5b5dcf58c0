import type { FastifyReply, FastifyRequest } from "fastify";
import { html } from "../../browser/ui/html.ts";
import type { Caller } from "../features/merchants/index.ts";
import { refuse } from "../kernel/refusal.ts";
import { dashboardAssetTable, dashboardFiles, loaderPaths } from "../platform/assets/asset-table.ts";
import type { Assets } from "../platform/assets/build-assets.ts";
import type { Context } from "../platform/context.ts";
import { type ErrorAnswer, errorAnswer } from "../platform/http/error-answer.ts";
import { acceptFormsOnly } from "../platform/http/form-posts.ts";
import { preferenceOf } from "../platform/http/preference.ts";
import type { Route } from "../platform/http/route.ts";
import { routeRunner } from "../platform/http/run-route.ts";
import type { HttpServer } from "../platform/http/server.ts";
import type { AnswerUnknownPath } from "../platform/http/unknown-paths.ts";
import { accountPages } from "./account/pages.ts";
import { acquirerPages } from "./acquirers/pages.ts";
import { customerPages } from "./customers/pages.ts";
import { disputePages } from "./disputes/pages.ts";
import { eventPages } from "./events/pages.ts";
import { redeliverPages } from "./events/redeliver-pages.ts";
import { keyPages } from "./keys/pages.ts";
import { overviewPages } from "./overview/pages.ts";
import { pageReportPages } from "./page-reports/pages.ts";
import { amountPages } from "./payments/amount-pages.ts";
import { cancelPages } from "./payments/cancel-pages.ts";
import { linkPages } from "./payments/link-pages.ts";
import { paymentListPages } from "./payments/lists/pages.ts";
import { paymentPages } from "./payments/pages.ts";
import { payoutPages } from "./payouts/pages.ts";
import { sandboxPages } from "./sandbox/pages.ts";
import { type StartProblems, settingsPages } from "./settings/pages.ts";
import { themePages } from "./settings/theme-pages.ts";
import { createCookies } from "./shell/cookies.ts";
import { type DashboardFiles, signInPage } from "./shell/layout.ts";
import type { MerchantPage, OwnPage } from "./shell/page.ts";
import { shellPages } from "./shell/pages.ts";
import { merchantUrl, mountMerchantPage, mountOwnPage, ownUrl, type PageParts } from "./shell/run-page.ts";
import { sendDashboard } from "./shell/send-dashboard.ts";
import { mountSignIn } from "./sign-in/mount-sign-in.ts";
import { userPages } from "./users/pages.ts";
import { webhookPages } from "./webhooks/pages.ts";
import { signingKeyPages } from "./webhooks/signing-key-pages.ts";
import { subscriptionPages } from "./webhooks/subscription-pages.ts";

const OWN_PAGES: readonly OwnPage[] = [...shellPages, ...accountPages, ...userPages, ...pageReportPages];

const MERCHANT_PAGES: readonly MerchantPage[] = [
  ...overviewPages,
  ...paymentListPages,
  ...paymentPages,
  ...amountPages,
  ...linkPages,
  ...cancelPages,
  ...customerPages,
  ...disputePages,
  ...payoutPages,
  ...eventPages,
  ...redeliverPages,
  ...sandboxPages,
  ...keyPages,
  ...acquirerPages,
  ...webhookPages,
  ...subscriptionPages,
  ...signingKeyPages,
];

export type DashboardParts = {
  readonly routes: readonly Route<Caller>[];
  readonly startProblems: StartProblems;
};

/** Mounts the dashboard on the API's server: for users with a session, never for API keys. */
export function mountDashboard(
  server: HttpServer,
  assets: Assets,
  ctx: Context,
  { routes, startProblems }: DashboardParts,
): void {
  const parts: PageParts = {
    ctx,
    files: dashboardFiles(assets),
    cookies: createCookies(ctx.settings),
    callApi: routeRunner(routes),
  };
  const loader = { path: loaderPaths(assets).pinned, integrity: assets.payui.integrity };
  const merchantPages = [...MERCHANT_PAGES, ...settingsPages(startProblems), ...themePages(loader)];
  void server.register(async (scope) => {
    acceptFormsOnly(scope);
    answerErrorsWithPages(scope, parts.files, ctx);
    for (const [path, { asset, cacheControl }] of dashboardAssetTable(assets)) {
      scope.get(path, async (request, reply) => {
        const gzip = /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
        reply.headers({
          "Cache-Control": cacheControl,
          "Content-Type": asset.contentType,
          Vary: "Accept-Encoding",
        });
        if (gzip) reply.header("Content-Encoding", "gzip");
        return reply.send(gzip ? asset.gzip : asset.bytes);
      });
    }
    mountSignIn(scope, parts);
    for (const page of OWN_PAGES) mountOwnPage(scope, page, parts);
    for (const page of merchantPages) mountMerchantPage(scope, page, parts);
    for (const path of postOnly(OWN_PAGES)) redirectUp(scope, ownUrl(path));
    for (const path of postOnly(merchantPages)) redirectUp(scope, merchantUrl(path));
    scope.get("/dashboard/", async (_request, reply) => reply.redirect("/dashboard", 303));
    scope.route({
      method: ["GET", "POST"],
      url: "/dashboard/*",
      handler: async () => refuse("resource_not_found"),
    });
  });
}

/** Paths that only accept a form. */
function postOnly(pages: readonly (MerchantPage | OwnPage)[]): readonly string[] {
  const shown = new Set(pages.filter(({ method }) => method === "GET").map(({ path }) => path));
  return pages.map(({ path }) => path).filter((path) => !shown.has(path));
}

/** A refused form is shown at the URL it was posted to. A reload of that URL redirects to the page above it. */
function redirectUp(scope: HttpServer, path: string): void {
  scope.get(path, async ({ url }, reply) => {
    const above = (url.split("?", 1)[0] ?? "").replace(/(\/sessions(\/ses_\w+)?)?\/[^/]*$/, "");
    return reply.redirect(above, 303);
  });
}

const UNREADABLE = [
  "The request can't be read",
  "Check the URL. If you sent a form, load its page again and resend it.",
] as const;
const WORDS: Readonly<Record<number, readonly [string, string]>> = {
  400: UNREADABLE,
  403: ["This isn't allowed", "Your role doesn't allow it, or the form was not from a page of this session."],
  404: ["There is no such page", "Check the URL. Records of other merchants are not shown."],
  413: ["The form is too large", "Nothing was done. Go back, shorten what you typed, and send it again."],
  415: UNREADABLE,
  429: ["Too many attempts", "Please wait a while before you try again."],
  503: ["The gateway can't answer right now", "Please load this page again in a moment."],
};
const ELSE = [
  "Something went wrong",
  "Please load this page again. The gateway's log has the details under the request's id.",
] as const;

function answerErrorsWithPages(scope: HttpServer, files: DashboardFiles, ctx: Context): void {
  scope.setErrorHandler((error, request: FastifyRequest, reply: FastifyReply) => {
    const answer = errorAnswer(error, undefined, ctx.settings.baseUrl);
    if (answer.isBug)
      ctx.log.error({ requestId: request.id, method: request.method, error }, "unexpected error");
    reply.headers(answer.headers).header("Vary", "Accept");
    if (preferenceOf(request.headers.accept) === "json") return reply.code(answer.status).send(answer.body);
    return sendError(request, reply, files, answer);
  });
}

function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  files: DashboardFiles,
  answer: Pick<ErrorAnswer, "status" | "isBug">,
): FastifyReply {
  const [title, words] = WORDS[answer.status] ?? ELSE;
  const id = answer.isBug && html`<p class="hint">Request <code>${request.id}</code></p>`;
  const content = html`<p>${words}</p>${id}<p><a href="/dashboard">Go to the dashboard</a></p>`;
  return sendDashboard(request, reply, signInPage({ title, content, state: "error" }, files), answer);
}

/** Answers a browser on a server that has the dashboard only. */
export function answerUnknownDashboardPage(files: DashboardFiles): AnswerUnknownPath {
  return (request, reply) => {
    if (request.url.split("?", 1)[0] === "/") return reply.redirect("/dashboard", 303);
    return sendError(request, reply, files, { status: 404, isBug: false });
  };
}

import type { FastifyReply, FastifyRequest } from "fastify";
import type { StatusPanel } from "../../browser/ui/status-panel.ts";
import {
  abandonSession,
  continuePayment,
  getSession,
  isCres,
  type PageView,
  viewPage,
} from "../features/checkout/index.ts";
import { languageFor, spoken } from "../kernel/languages/languages.ts";
import { speechIn } from "../kernel/languages/speech.ts";
import { Refusal, refuse } from "../kernel/refusal.ts";
import { RAILS_WITH_PAGE, type RailWithPage } from "../kernel/source.ts";
import { actingAs } from "../platform/audit/actor.ts";
import type { Context } from "../platform/context.ts";
import { errorAnswer } from "../platform/http/error-answer.ts";
import { acceptFormsOnly, type FormFields } from "../platform/http/form-posts.ts";
import { preferenceOf } from "../platform/http/preference.ts";
import { sendHtml } from "../platform/http/send-html.ts";
import type { HttpServer } from "../platform/http/server.ts";
import type { AnswerUnknownPath } from "../platform/http/unknown-paths.ts";
import { visitorOf } from "../platform/http/visitor.ts";
import { decodeBase64, readDataUri } from "../platform/images/data-uri.ts";
import { openEntries } from "./entries.ts";
import { createItemPictures } from "./item-pictures.ts";
import { addressesOf } from "./page-address.ts";
import { pagePolicy } from "./page-policy.ts";
import { type PayersView, viewFor } from "./payers-view.ts";
import { mountPayIdPage } from "./payid/mount-payid-page.ts";
import { modelOf, presentPage } from "./present-page.ts";
import { isReleased, returned } from "./present-status.ts";
import { removeCard } from "./remove-card.ts";
import { clearSealed, readSealed } from "./sealed-cookie.ts";
import { sendReply } from "./send-page.ts";
import { submitForm } from "./submit-form.ts";
import { themeCss, themeOf } from "./theme.ts";
import { type HostedPageFiles, lostPage } from "./views/page.ts";
import { hostedPanel } from "./views/panels.ts";

type Visit = {
  Params: { pageKey: string };
  Querystring: { after?: string; cres?: string };
  Body: FormFields | undefined;
};

/** Mounts the page of each rail. */
const RAIL_PAGES: Readonly<Record<RailWithPage, typeof mountPayIdPage>> = { payid: mountPayIdPage };

/** Serves the hosted payment page. Every answer is a page or a redirect to one, with and without scripts. */
export function mountHostedPages(server: HttpServer, files: HostedPageFiles, ctx: Context): void {
  const findPicture = createItemPictures(ctx);
  void server.register(async (scope) => {
    acceptFormsOnly(scope);
    answerErrorsWithPages(scope, files, ctx);

    for (const rail of RAILS_WITH_PAGE) RAIL_PAGES[rail](scope, files, ctx);

    scope.get<Visit>("/pay/:pageKey", async (request, reply) => {
      const view = await getView(ctx, request);
      const onward = request.query.after === undefined ? undefined : merchantRedirect(view);
      if (onward !== undefined) return reply.redirect(onward, 303);
      const entries = await openEntries(ctx, view, readSealed(request, "entries"));
      return sendReply(request, reply, files, { status: 200, view, model: presentPage(view, entries) });
    });

    scope.post<Visit>("/pay/:pageKey", async (request, reply) => {
      const view = await getView(ctx, request);
      const answer = await asPayer(request, () =>
        submitForm(ctx, view, request.body ?? {}, visitorOf(request)),
      );
      return sendReply(request, reply, files, answer);
    });

    scope.post<Visit>("/pay/:pageKey/remove", async (request, reply) => {
      const view = await getView(ctx, request);
      const answer = await asPayer(request, () => removeCard(ctx, view, request.body ?? {}));
      return sendReply(request, reply, files, answer);
    });

    /** The bank redirects the payer here after a challenge in the full window. */
    scope.get<Visit>("/pay/:pageKey/return", async (request, reply) => {
      const view = await getView(ctx, request);
      const { cres } = request.query;
      const sealed = readSealed(request, "challenge");
      const answer = { sealed, ...(isCres(cres) ? { cres } : {}) };
      const isOpen =
        view.standing === "challenged" &&
        (await asPayer(request, () => continueChallenge(ctx, view, answer)));
      if (isOpen && sealed !== "") {
        // This address, with what the bank has sent, is asked again. With scripts, too: they only query the outcome.
        reply.header("Refresh", "3");
        return sendReply(request, reply, files, { status: 200, view, model: modelOf(view, returned(view)) });
      }
      clearSealed(request, reply, "challenge");
      const { page, after } = addressesOf(request.params.pageKey, view.failedAttempts);
      return reply.redirect(returnsToApp(view) ? page : after, 303);
    });

    /** A bank may post instead. No cookie comes with a post from another site, but one does with the redirect. */
    scope.post<Visit>("/pay/:pageKey/return", async (request, reply) => {
      const cres = request.body?.["cres"];
      const { comeBack } = addressesOf(request.params.pageKey, 0);
      return reply.redirect(isCres(cres) ? `${comeBack}?cres=${encodeURIComponent(cres)}` : comeBack, 303);
    });

    scope.post<Visit>("/pay/:pageKey/abandon", async (request, reply) => {
      const view = await getView(ctx, request);
      const current = request.body?.["attempt"] === String(view.failedAttempts);
      if (current)
        await asPayer(request, async () => abandonSession(ctx, await getSession(ctx, view.session)));
      return reply.redirect(addressesOf(request.params.pageKey, view.failedAttempts).page, 303);
    });

    scope.get<Visit & { Params: { item: string } }>("/pay/:pageKey/items/:item", async (request, reply) => {
      const { merchant, request: paymentRequest } = await getView(ctx, request);
      const item = /^\d{1,2}$/.test(request.params.item) ? Number(request.params.item) : -1;
      const url = paymentRequest.details.hostedPage?.lineItems?.[item]?.image;
      const picture = url === undefined ? undefined : await findPicture(merchant, url);
      if (picture === undefined) refuse("resource_not_found");
      reply.header("Cache-Control", "private, max-age=600");
      return sendPicture(reply, picture.type, picture.bytes);
    });

    scope.get<Visit>("/pay/:pageKey/theme/:file", async (request, reply) => {
      const { merchant, request: paymentRequest } = await getView(ctx, request);
      const theme = themeOf(merchant, paymentRequest.details.hostedPage?.theme);
      const { theme: address } = addressesOf(request.params.pageKey, 0);
      if (theme === undefined || address(theme) !== request.url) refuse("resource_not_found");
      return reply
        .header("Cache-Control", "private, max-age=31536000, immutable")
        .type("text/css; charset=utf-8")
        .send(themeCss(theme));
    });

    scope.get<Visit>("/pay/:pageKey/logo", async (request, reply) => {
      const { request: paymentRequest } = await getView(ctx, request);
      const logo = readDataUri(paymentRequest.logo ?? "");
      const bytes = logo && decodeBase64(logo.base64);
      if (bytes === undefined) refuse("resource_not_found");
      return sendPicture(reply, logo?.mime ?? "", bytes);
    });
  });
}

/** The audit log names who used or erased a number. */
function asPayer<Result>({ ip: address }: FastifyRequest<Visit>, work: () => Result): Result {
  return actingAs({ actor: "payer", address }, work);
}

/** Opened directly, an SVG is a page: nothing in it may run or load. */
function sendPicture(reply: FastifyReply, type: string, bytes: Buffer): FastifyReply {
  return reply
    .header("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'")
    .header("Cross-Origin-Resource-Policy", "same-origin")
    .type(type)
    .send(bytes);
}

async function getView(ctx: Context, request: FastifyRequest<Visit>): Promise<PayersView> {
  const acceptLanguage = request.headers["accept-language"];
  const view = (await viewPage(ctx, request.params.pageKey, acceptLanguage)) ?? refuse("resource_not_found");
  request.knownMode = view.merchant.mode;
  return viewFor(view, acceptLanguage);
}

/**
 * The merchant's URL for the redirect after an approved payment, if the merchant set one. `href` encodes letters that a
 * header can't contain.
 */
function merchantRedirect(view: PageView): string | undefined {
  const { resultPage, redirectUrl } = view.request.details.hostedPage ?? {};
  if (view.standing !== "approved" || isReleased(view)) return undefined;
  if (resultPage !== "redirect" || redirectUrl === undefined) return undefined;
  return new URL(redirectUrl).href;
}

/**
 * Whether the merchant's URL opens an app. After a challenge the payer then gets the result with a link to it: browsers check
 * the `form-action` of the bank's page against every redirect, and no bank allows the scheme of an app.
 */
function returnsToApp({ request }: PageView): boolean {
  const { redirectUrl } = request.details.hostedPage ?? {};
  return redirectUrl !== undefined && !/^https?:$/.test(new URL(redirectUrl).protocol);
}

/**
 * Continues the payment after a challenge. True: its result is not known yet. If it is refused, the page shows the state
 * and how to start again.
 */
async function continueChallenge(
  ctx: Context,
  view: PageView,
  answer: { readonly sealed: string; readonly cres?: string },
): Promise<boolean> {
  try {
    const { state } = await continuePayment(ctx, await getSession(ctx, view.session), answer);
    return state === "challenge";
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return false;
  }
}

function answerErrorsWithPages(scope: HttpServer, files: HostedPageFiles, ctx: Context): void {
  scope.setErrorHandler((error, request, reply) => {
    const answer = errorAnswer(error, request.knownMode, ctx.settings.baseUrl);
    if (answer.isBug)
      ctx.log.error({ requestId: request.id, method: request.method, error }, "unexpected error");
    reply.headers(answer.headers).header("Vary", "Accept");
    if (preferenceOf(request.headers.accept) === "json") return reply.code(answer.status).send(answer.body);
    return sendError(request, reply, files, answer.status);
  });
}

function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  files: HostedPageFiles,
  status: number,
): FastifyReply {
  const language = languageFor(undefined, request.headers["accept-language"]);
  const speech = speechIn(spoken(language), "AUD");
  const { page } = language;
  const [heading, help] =
    status === 404
      ? [page.unknownPage, page.unknownPageHelp]
      : [page.somethingWrong, page.somethingWrongHelp];
  const panel: StatusPanel = { picture: "careful", heading, words: [help] };
  reply.code(status).header("Content-Security-Policy", pagePolicy(undefined, { scripts: [files.integrity] }));
  return sendHtml(request, reply, lostPage(language, hostedPanel({ language, speech }, panel, {}), files));
}

/** Answers a browser at a path of the payers' server that has no page. */
export function answerUnknownHostedPage(files: HostedPageFiles): AnswerUnknownPath {
  return (request, reply) => sendError(request, reply, files, 404);
}

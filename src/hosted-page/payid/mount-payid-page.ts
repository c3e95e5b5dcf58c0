import type { FastifyRequest } from "fastify";
import { readOpened } from "../../../browser/paying/read-payid.ts";
import { payIdEnd, payIdPanel } from "../../../browser/ui/payid-panel.ts";
import { languageFacts, type PayIdView, presentPayId, viewPayId } from "../../features/checkout/index.ts";
import { railPath } from "../../features/hosted-pages/index.ts";
import { findTransaction } from "../../features/transactions/index.ts";
import type { Catalogue } from "../../kernel/languages/catalogue.ts";
import { languageFor, payIdWords, spoken } from "../../kernel/languages/languages.ts";
import { speechIn } from "../../kernel/languages/speech.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import { sendHtml } from "../../platform/http/send-html.ts";
import type { HttpServer } from "../../platform/http/server.ts";
import { pagePolicy } from "../page-policy.ts";
import { presentReceipt } from "../present-receipt.ts";
import { themedModel } from "../send-page.ts";
import { type HostedPageFiles, type HostedPageModel, hostedPage, scriptHashes } from "../views/page.ts";
import { hostedPanel, type PanelParts } from "../views/panels.ts";

type Visit = { Params: { pageKey: string } };

/** Serves the page of a PayID: how to pay, then how it ended. Without scripts the payer reloads it. */
export function mountPayIdPage(server: HttpServer, files: HostedPageFiles, ctx: Context): void {
  server.get<Visit>(`${railPath("payid")}/:pageKey`, async (request, reply) => {
    const view = (await viewPayId(ctx, request.params.pageKey)) ?? refuse("resource_not_found");
    const model = await presentPage(ctx, view, languageOf(view, request));
    reply.header("Content-Security-Policy", pagePolicy(undefined, { scripts: scriptHashes(model, files) }));
    return sendHtml(request, reply, hostedPage(themedModel(model, view), files));
  });
}

function languageOf({ request }: PayIdView, { headers }: FastifyRequest): Catalogue {
  return languageFor(request.details.locale, headers["accept-language"]);
}

async function presentPage(ctx: Context, view: PayIdView, language: Catalogue): Promise<HostedPageModel> {
  const { merchant, request } = view;
  const opening = presentPayId(view, language, ctx.settings);
  const details = readOpened(opening);
  if (details === undefined) throw new Error("a PayID without its details");
  const words = payIdWords(language);
  const page = {
    language,
    speech: speechIn(spoken(language), request.currency),
    mode: merchant.mode,
    merchantName: merchant.name,
    savesCard: false,
    order: undefined,
    opening: undefined,
  };
  if (view.state === "waiting") {
    const content = payIdPanel(words, details, `${railPath("payid")}/${view.pageKey}`);
    const payId = { opening, language: languageFacts(language) };
    return { ...page, state: "ready", content, hasForm: true, payId };
  }
  const { state, panel } = payIdEnd(words, details);
  const content = hostedPanel(page, panel, await receiptOf(ctx, view, language));
  return { ...page, state, title: panel.heading, content, hasForm: false };
}

async function receiptOf(
  ctx: Context,
  { merchant, request }: PayIdView,
  language: Catalogue,
): Promise<PanelParts> {
  const { approvedTransactionId: id } = request;
  const attempt = id === null ? undefined : await findTransaction(ctx.db, merchant.id, id);
  return attempt === undefined ? {} : { receipt: presentReceipt({ request, merchant, attempt, language }) };
}

import type { FastifyReply, FastifyRequest } from "fastify";
import type { PageView } from "../features/checkout/index.ts";
import { sendHtml } from "../platform/http/send-html.ts";
import { NO_VENDORS, vendorSources } from "./checkout-frame/vendor-sources.ts";
import { pagePolicy } from "./page-policy.ts";
import { keepSealed } from "./sealed-cookie.ts";
import { type HostedPageFiles, type HostedPageModel, hostedPage } from "./views/page.ts";

/** What a payer's browser is sent: a page, or where to go next, with something to keep until it comes back. */
export type PageReply =
  | { readonly status: number; readonly view: PageView; readonly model: HostedPageModel }
  | { readonly goTo: string; readonly keep?: string };

export function sendReply(
  request: FastifyRequest,
  reply: FastifyReply,
  files: HostedPageFiles,
  answer: PageReply,
): FastifyReply {
  if ("goTo" in answer) {
    if (answer.keep !== undefined) keepSealed(request, reply, answer.keep);
    return reply.redirect(answer.goTo, 303);
  }
  const { view, model } = answer;
  const vendors = model.wallets?.includes("google_pay") === true ? vendorSources(view.merchant) : NO_VENDORS;
  reply.code(answer.status).header("Content-Security-Policy", pagePolicy(view.request, vendors));
  return sendHtml(request, reply, hostedPage(model, files, vendors.nonce));
}

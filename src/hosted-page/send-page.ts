import type { FastifyReply, FastifyRequest } from "fastify";
import type { Merchant } from "../features/merchants/index.ts";
import type { PaymentRequest } from "../features/payment-requests/index.ts";
import { sendHtml } from "../platform/http/send-html.ts";
import { bankSources } from "./checkout-frame/bank-sources.ts";
import { vendorSources } from "./checkout-frame/vendor-sources.ts";
import { addressesOf } from "./page-address.ts";
import { pagePolicy } from "./page-policy.ts";
import type { PayersView } from "./payers-view.ts";
import { storeSealed } from "./sealed-cookie.ts";
import { schemeOf, themeOf, themePath } from "./theme.ts";
import { type HostedPageFiles, type HostedPageModel, hostedPage, scriptHashes } from "./views/page.ts";

/** The answer to a payer's browser: a page or a redirect, with sealed data to store. */
export type PageReply = {
  /** Until the payer returns from the bank. */
  readonly sealed?: string;
  /** What the payer entered, until the form is shown again. */
  readonly entries?: string;
} & (
  | {
      readonly status: number;
      readonly view: PayersView;
      readonly model: HostedPageModel;
      readonly retryAfterMs?: number;
    }
  | { readonly redirectTo: string }
);

type Themed = { readonly merchant: Merchant; readonly request: PaymentRequest };

/** The page's own theme or the merchant's, where there is one. */
export function themedModel(model: HostedPageModel, { merchant, request }: Themed): HostedPageModel {
  const own = request.details.hostedPage?.theme;
  const theme = themeOf(merchant, own);
  if (theme === undefined) return model;
  const style = own === undefined ? themePath(merchant) : addressesOf(request.pageKey ?? "", 0).theme(theme);
  return { ...model, theme: { scheme: schemeOf(theme), style: style ?? "" } };
}

export function sendReply(
  request: FastifyRequest,
  reply: FastifyReply,
  files: HostedPageFiles,
  answer: PageReply,
): FastifyReply {
  if (answer.sealed !== undefined) storeSealed(request, reply, "challenge", answer.sealed);
  if (answer.entries !== undefined) storeSealed(request, reply, "entries", answer.entries);
  if ("redirectTo" in answer) {
    return reply.redirect(answer.redirectTo, 303);
  }
  const { view, model, retryAfterMs } = answer;
  if (retryAfterMs !== undefined) reply.header("Retry-After", Math.ceil(retryAfterMs / 1000));
  const vendors = vendorSources(view.merchant, model.wallets ?? []);
  const bank = bankSources(view.merchant);
  const toBank = answer.sealed !== undefined;
  const policy = pagePolicy(view.request, {
    scripts: scriptHashes(model, files),
    vendors,
    frames: bank.frames,
    forms: toBank ? ["https:"] : [],
  });
  reply.code(answer.status).header("Content-Security-Policy", policy);
  return sendHtml(request, reply, hostedPage(themedModel(model, view), files, vendors.nonce));
}

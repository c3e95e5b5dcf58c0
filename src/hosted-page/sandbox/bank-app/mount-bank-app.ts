import type { FastifyReply, FastifyRequest } from "fastify";
import type { Html } from "../../../../browser/ui/html.ts";
import { moneyText } from "../../../../browser/ui/money-text.ts";
import type { PageState } from "../../../../browser/ui/page-state.ts";
import { statusPanel } from "../../../../browser/ui/status-panel.ts";
import { BANK_APP_PATH } from "../../../features/hosted-pages/index.ts";
import {
  findLinkedRequest,
  findTransfer,
  type LinkedRequest,
  payAtBankApp,
} from "../../../features/incoming-transfers/index.ts";
import { findMerchant } from "../../../features/merchants/index.ts";
import { defined } from "../../../kernel/defined.ts";
import { newId, parseId, requireId } from "../../../kernel/ids.ts";
import { readCents } from "../../../kernel/money.ts";
import { refuse } from "../../../kernel/refusal.ts";
import type { Context } from "../../../platform/context.ts";
import { errorAnswer } from "../../../platform/http/error-answer.ts";
import { acceptFormsOnly, type FormFields, lastOfEach } from "../../../platform/http/form-posts.ts";
import { sendHtml } from "../../../platform/http/send-html.ts";
import type { HttpServer } from "../../../platform/http/server.ts";
import type { HostedPageFiles } from "../../views/page.ts";
import { bankAppPage, type PaymentProblems, paymentForm, type TypedPayment } from "./page.ts";
import { paymentProblems, typedPayment } from "./read-payment.ts";
import { transferResult } from "./result.ts";

const CSP =
  "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

type AppRequest = { Params: { requestId: string } };

const ERROR_PANEL: Html = {
  html: statusPanel({
    picture: "careful",
    heading: "This page can't be shown",
    words: ["Check the address, or wait a moment and load it again. Nothing was paid."],
  }),
};

/**
 * Serves the sandbox's bank app, where a person pays to a PayID. It needs no API key: a link names the one request of a
 * sandbox merchant that it shows and pays.
 */
export function mountBankApp(server: HttpServer, { style }: HostedPageFiles, ctx: Context): void {
  void server.register(async (scope) => {
    acceptFormsOnly(scope);
    const send = (request: FastifyRequest, reply: FastifyReply, state: PageState, content: Html) =>
      sendHtml(request, reply.header("Content-Security-Policy", CSP), bankAppPage(state, content, style));
    const showForm = (
      request: FastifyRequest,
      reply: FastifyReply,
      linked: LinkedRequest & { readonly payId: string },
      form: { readonly typed: TypedPayment; readonly problems: PaymentProblems },
    ) =>
      send(
        request,
        reply,
        "ready",
        paymentForm({ id: newId("incomingTransfer", ctx.now()), ...linked, ...form }),
      );
    const linkedBy = async (requestId: string, payId = "") => {
      const id = requireId("paymentRequest", requestId);
      return { payId, ...((await findLinkedRequest(ctx, id, payId)) ?? refuse("resource_not_found")) };
    };

    scope.setErrorHandler((error, request, reply) => {
      const answer = errorAnswer(error, undefined, ctx.settings.baseUrl);
      if (answer.isBug)
        ctx.log.error({ requestId: request.id, method: request.method, error }, "unexpected error");
      return send(request, reply.code(answer.status).headers(answer.headers), "error", ERROR_PANEL);
    });

    scope.get<AppRequest & { Querystring: Readonly<Record<string, string | string[]>> }>(
      `${BANK_APP_PATH}/:requestId`,
      async (request, reply) => {
        const linked = await linkedBy(request.params.requestId, lastOfEach(request.query)["payId"]);
        const typed = { amount: moneyText(linked.request.amount), payerName: "" };
        return showForm(request, reply, linked, { typed, problems: {} });
      },
    );

    scope.post<AppRequest & { Body: FormFields | undefined }>(
      `${BANK_APP_PATH}/:requestId`,
      async (request, reply) => {
        const linked = await linkedBy(request.params.requestId, request.body?.["payId"]);
        const typed = typedPayment(request.body ?? {});
        const id =
          parseId("incomingTransfer", request.body?.["id"] ?? "") ?? newId("incomingTransfer", ctx.now());
        const amount = readCents(typed.amount);
        const problems = paymentProblems(typed);
        if (amount === undefined || Object.keys(problems).length > 0)
          return showForm(request, reply.code(400), linked, { typed, problems });
        const { payId } = linked;
        const payerName = typed.payerName === "" ? undefined : typed.payerName;
        await payAtBankApp(ctx, id, linked, defined({ payId, amount, payerName }));
        return reply.redirect(`${BANK_APP_PATH}/${linked.request.id}/${id}`, 303);
      },
    );

    type ResultRequest = { Params: { requestId: string; transferId: string } };
    scope.get<ResultRequest>(`${BANK_APP_PATH}/:requestId/:transferId`, async (request, reply) => {
      const transfer = await findTransfer(ctx.db, requireId("incomingTransfer", request.params.transferId));
      const merchant = transfer?.merchantId && (await findMerchant(ctx.db, transfer.merchantId));
      const isNamed = transfer?.paymentRequestId === request.params.requestId && transfer.mode === "sandbox";
      if (!isNamed || !merchant) refuse("resource_not_found");
      const state = transfer.reason === null ? "approved" : "declined";
      return send(request, reply, state, transferResult(transfer, merchant.name));
    });
  });
}

import type { FastifyReply, FastifyRequest } from "fastify";
import type { Html } from "../../../../browser/ui/html.ts";
import type { PageState } from "../../../../browser/ui/page-state.ts";
import { statusPanel } from "../../../../browser/ui/status-panel.ts";
import { BANK_APP_PATH } from "../../../features/hosted-pages/index.ts";
import { findTransfer, payAtBankApp } from "../../../features/incoming-transfers/index.ts";
import { findMerchant } from "../../../features/merchants/index.ts";
import { defined } from "../../../kernel/defined.ts";
import { newId, parseId } from "../../../kernel/ids.ts";
import { readCents } from "../../../kernel/money.ts";
import { Refusal, refuse } from "../../../kernel/refusal.ts";
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

const UNKNOWN = "No payment request of the sandbox has this PayID.";
const ERROR_PANEL: Html = {
  html: statusPanel({
    picture: "careful",
    heading: "This page can't be shown",
    words: ["Check the address, or wait a moment and load it again. Nothing was paid."],
  }),
};

/** Serves the sandbox's bank app, where a person pays to a PayID. It needs no API key and reaches sandbox merchants only. */
export function mountBankApp(server: HttpServer, { style }: HostedPageFiles, ctx: Context): void {
  void server.register(async (scope) => {
    acceptFormsOnly(scope);
    const send = (request: FastifyRequest, reply: FastifyReply, state: PageState, content: Html) =>
      sendHtml(request, reply.header("Content-Security-Policy", CSP), bankAppPage(state, content, style));
    const showForm = (
      request: FastifyRequest,
      reply: FastifyReply,
      typed: TypedPayment,
      problems: PaymentProblems,
    ) => send(request, reply, "ready", paymentForm(newId("incomingTransfer", ctx.now()), typed, problems));

    scope.setErrorHandler((error, request, reply) => {
      const answer = errorAnswer(error, undefined, ctx.settings.baseUrl);
      if (answer.bug)
        ctx.log.error({ requestId: request.id, method: request.method, error }, "unexpected error");
      return send(request, reply.code(answer.status).headers(answer.headers), "error", ERROR_PANEL);
    });

    scope.get<{ Querystring: Readonly<Record<string, string | string[]>> }>(
      BANK_APP_PATH,
      async (request, reply) => showForm(request, reply, typedPayment(lastOfEach(request.query)), {}),
    );

    scope.post<{ Body: FormFields | undefined }>(BANK_APP_PATH, async (request, reply) => {
      const typed = typedPayment(request.body ?? {});
      const id =
        parseId("incomingTransfer", request.body?.["id"] ?? "") ?? newId("incomingTransfer", ctx.now());
      const amount = readCents(typed.amount);
      const problems = paymentProblems(typed);
      if (amount === undefined || Object.keys(problems).length > 0)
        return showForm(request, reply.code(400), typed, problems);
      const { payId, payerName } = typed;
      try {
        await payAtBankApp(
          ctx,
          id,
          defined({ payId, amount, payerName: payerName === "" ? undefined : payerName }),
        );
      } catch (error) {
        if (!(error instanceof Refusal) || error.problems[0]?.code !== "transfer_payid_unknown") throw error;
        return showForm(request, reply.code(404), typed, { payId: UNKNOWN });
      }
      return reply.redirect(`${BANK_APP_PATH}/${id}`, 303);
    });

    scope.get<{ Params: { transferId: string } }>(`${BANK_APP_PATH}/:transferId`, async (request, reply) => {
      const id = parseId("incomingTransfer", request.params.transferId) ?? refuse("resource_not_found");
      const transfer = await findTransfer(ctx.db, id);
      const merchant = transfer?.merchantId && (await findMerchant(ctx.db, transfer.merchantId));
      if (transfer?.mode !== "sandbox" || !merchant) refuse("resource_not_found");
      const state = transfer.reason === null ? "approved" : "declined";
      return send(request, reply, state, transferResult(transfer, merchant.name));
    });
  });
}

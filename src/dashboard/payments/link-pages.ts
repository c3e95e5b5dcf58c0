import { pageUrl } from "../../features/hosted-pages/index.ts";
import {
  createPaymentLink,
  LINK_DAYS_AT_MOST,
  LINK_DAYS_STANDARD,
} from "../../features/payment-requests/index.ts";
import { defined } from "../../kernel/defined.ts";
import { readCents } from "../../kernel/money.ts";
import { refuse } from "../../kernel/refusal.ts";
import {
  type MerchantPage,
  type MerchantVisit,
  merchantPage,
  type PageAnswer,
  redirect,
} from "../shell/page.ts";
import type { FieldProblems } from "../shell/parts/form.ts";
import { linkForm, linkView } from "./link-view.ts";
import { readPaymentOfRequest } from "./read-payment.ts";
import { statusOfPayment } from "./view.ts";

const NEW = "/payment-links/new";

/** Payment links: hosted pages that are made here and sent to payers by hand. */
export const linkPages: readonly MerchantPage[] = [
  merchantPage({ method: "GET", path: NEW, right: "act", run: async (_ctx, visit) => showForm(visit, {}) }),
  merchantPage({
    method: "POST",
    path: NEW,
    right: "act",
    audit: "payment link created",
    backTo: ({ base }) => base + NEW,
    run: async (ctx, visit) => {
      const { fields, base, caller } = visit;
      const amount = readCents((fields["amount"] ?? "").trim());
      const days = Number(fields["days"] ?? LINK_DAYS_STANDARD);
      const isKnown = Number.isInteger(days) && days >= 1 && days <= LINK_DAYS_AT_MOST;
      if (amount === undefined || !isKnown)
        return showForm(
          visit,
          defined({
            amount: amount === undefined ? "Type an amount such as 30.00." : undefined,
            days: isKnown ? undefined : `Choose 1 to ${LINK_DAYS_AT_MOST} days.`,
          }),
        );
      const input = {
        amount,
        days,
        description: typed(fields["description"]),
        reference: typed(fields["reference"]),
      };
      const { request } = await createPaymentLink(ctx, caller, input);
      return redirect(`${base}/payment-requests/${request.id}/link`, "The payment link is ready to be sent.");
    },
    onRefused: async (_ctx, visit, { byField, words, status }) => {
      const { "/payment/description": description, "/reference": reference } = byField;
      const known = defined({ description, reference });
      const problems = Object.keys(known).length > 0 ? known : { amount: words };
      return { ...showForm(visit, problems), status };
    },
  }),
  merchantPage({
    method: "GET",
    path: "/payment-requests/{paymentRequestId}/link",
    right: "read",
    run: async (ctx, visit) => {
      const payment = await readPaymentOfRequest(ctx, visit.merchant, visit.params.paymentRequestId);
      const request = payment.request ?? refuse("resource_not_found");
      const { flow } = request;
      const pageKey = request.pageKey ?? refuse("resource_not_found");
      const url = pageUrl(ctx.settings.hostedUrl, { flow, pageKey });
      const status = statusOfPayment(request, payment.transactions, visit.now);
      const content = linkView(visit, request, { url, status });
      return { title: "Payment link", section: "payment-requests", content };
    },
  }),
];

function typed(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text.trim();
}

function showForm(visit: MerchantVisit, problems: FieldProblems): Extract<PageAnswer, { title: string }> {
  return {
    title: "New payment link",
    section: "payment-requests",
    content: linkForm(visit, problems),
    status: Object.keys(problems).length > 0 ? 400 : 200,
  };
}

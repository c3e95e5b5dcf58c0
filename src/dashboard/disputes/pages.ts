import { DISPUTE_STATUSES, type Dispute, findDispute, isSimulated } from "../../features/disputes/index.ts";
import { refuse } from "../../kernel/refusal.ts";
import { toIso } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import { confirmedMerchantPages } from "../shell/confirmed-pages.ts";
import { listPages } from "../shell/lists/list-page.ts";
import { choiceField, metadataField, metadataFilter, textField, whereFilled } from "../shell/lists/view.ts";
import {
  type MerchantPage,
  type MerchantVisit,
  merchantPage,
  type PageAnswer,
  type Refused,
  redirect,
} from "../shell/page.ts";
import { emptyState } from "../shell/parts/table.ts";
import { DISPUTES } from "./queries.ts";
import { acceptanceOf, disputeCells, disputePath, disputeView, statusWords } from "./view.ts";

type DisputeVisit = MerchantVisit<"{disputeId}">;

const STATUS_CHOICES = DISPUTE_STATUSES.map((status) => [status, statusWords(status)] as const);

/** Disputes of payments, and the merchant's response to each. */
export const disputePages: readonly MerchantPage[] = [
  ...listPages({
    section: "disputes",
    title: "Disputes",
    listing: DISPUTES,
    rows: ["dispute", "disputes"],
    search: "Id, reference, amount or key=value",
    fields: (filled) => [
      choiceField(filled, "status", "Status", STATUS_CHOICES),
      ...whereFilled(filled, {
        transaction: () => textField(filled, "transaction", "Transaction id"),
        metadata: () => metadataField(filled),
      }),
    ],
    filters: (filled) => ({
      status: filled["status"],
      transaction: filled["transaction"],
      metadata: metadataFilter(filled),
    }),
    columns: [
      { head: "Reference", sort: "reference", isText: true },
      { head: "Status" },
      { head: "Amount", kind: "number", sort: "amount" },
      { head: "Reason", kind: "words" },
      { head: "Evidence due" },
      { head: "Opened", sort: "created" },
    ],
    cells: disputeCells,
    csv: {
      columns: ["reason", "evidenceDueDateTime"],
      common: (row) => row,
      cells: (row) => [row.reason, toIso(row.evidenceDueAt)],
    },
    empty: emptyState("No payer disputes a payment."),
  }),
  merchantPage({ method: "GET", path: "/disputes/{disputeId}", right: "read", run: showDispute }),
  merchantPage({
    method: "POST",
    path: "/disputes/{disputeId}/evidence",
    right: "act",
    audit: "dispute evidence sent",
    backTo: disputePath,
    onRefused: showDispute,
    run: async (ctx, visit) => {
      const { caller, params, fields } = visit;
      // A form sends a line break as two characters, of which the limit counts one.
      const text = (fields["text"] ?? "").trim().replaceAll("\r\n", "\n");
      await visit.callApi(ctx, caller, "sendDisputeEvidence", { params, body: { text } });
      const isForwarded = await isByHand(ctx, visit, await getDispute(ctx, visit));
      return redirect(
        disputePath(visit),
        isForwarded
          ? "The evidence is stored. The gateway's operator forwards it to the acquirer."
          : "The evidence is sent. The payer's bank reviews it.",
      );
    },
  }),
  ...confirmedMerchantPages("disputes", {
    path: "/disputes/{disputeId}/accept",
    right: "act",
    audit: "dispute accepted",
    backTo: disputePath,
    confirm: async (ctx, visit) => {
      const dispute = await getDispute(ctx, visit);
      return acceptanceOf(dispute, await isByHand(ctx, visit, dispute));
    },
    run: async (ctx, visit) => {
      const { caller, params } = visit;
      await visit.callApi(ctx, caller, "acceptDispute", { params });
      return redirect(disputePath(visit), "The dispute is accepted.");
    },
  }),
];

async function showDispute(ctx: Context, visit: DisputeVisit, refused?: Refused): Promise<PageAnswer> {
  const dispute = await getDispute(ctx, visit);
  const content = disputeView(visit, dispute, { refused, isByHand: await isByHand(ctx, visit, dispute) });
  return { title: `Dispute ${dispute.reference}`, section: "disputes", content };
}

/** The gateway sends no response to an acquirer: its operator does. */
async function isByHand(ctx: Context, { merchant }: DisputeVisit, dispute: Dispute): Promise<boolean> {
  return !(await isSimulated(ctx.db, { merchantId: merchant.id, mode: merchant.mode }, dispute));
}

async function getDispute(ctx: Context, { merchant, params }: DisputeVisit): Promise<Dispute> {
  return (await findDispute(ctx.db, merchant.id, params.disputeId)) ?? refuse("resource_not_found");
}

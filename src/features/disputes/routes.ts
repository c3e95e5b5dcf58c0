import { refuse } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import { cutPage, listAnswer, listQuery, pageOf } from "../../platform/http/lists.ts";
import { pairFilter } from "../../platform/http/metadata.ts";
import type { Route } from "../../platform/http/route.ts";
import { type Caller, merchantRoute, ok, RESULT_OK } from "../merchants/index.ts";
import type { Dispute } from "./dispute.ts";
import { presentDispute } from "./present.ts";
import { findDispute, listDisputes } from "./queries.ts";
import { acceptDispute, sendEvidence } from "./respond-to-dispute.ts";
import { DISPUTE_FILTERS, DisputeAnswer, EvidenceBody } from "./wire.ts";

const GROUP = "Disputes";

export const disputeRoutes: readonly Route<Caller>[] = [
  merchantRoute({
    method: "GET",
    path: "/disputes",
    name: "listDisputes",
    group: GROUP,
    summary: "List disputes",
    scope: "read",
    query: listQuery("dispute", DISPUTE_FILTERS),
    answer: listAnswer("disputes", DisputeAnswer, RESULT_OK),
    run: async (ctx, { caller, query }) => {
      const page = pageOf("dispute", query);
      const { transactionid, status, metadata } = query;
      const filters = { transaction_id: transactionid, status, pair: pairFilter(metadata) };
      const rows = await listDisputes(ctx.reads, caller.merchantId, page, filters);
      const { shown, nextCursor } = cutPage(rows, page);
      const disputes = shown.map((dispute) => presented(ctx, caller, dispute));
      return { count: shown.length, disputes, nextCursor, result: ok(caller.mode) };
    },
  }),
  merchantRoute({
    method: "GET",
    path: "/disputes/{disputeId}",
    name: "getDispute",
    group: GROUP,
    summary: "Read a dispute",
    scope: "read",
    answer: DisputeAnswer,
    run: async (ctx, { caller, params }) => {
      const dispute = await findDispute(ctx.db, caller.merchantId, params.disputeId);
      return presented(ctx, caller, dispute ?? refuse("resource_not_found"));
    },
  }),
  merchantRoute({
    method: "POST",
    path: "/disputes/{disputeId}/evidence",
    name: "sendDisputeEvidence",
    group: GROUP,
    summary: "Send evidence",
    about: "Once, until `evidenceDueDateTime`. Then the payer's bank reviews the dispute: `under_review`.",
    scope: "write",
    body: EvidenceBody,
    answer: DisputeAnswer,
    refusals: ["dispute_state_conflict"],
    example: { text: "The parcel was delivered on 3 May and signed for by the payer." },
    run: async (ctx, { caller, params, body }) =>
      presented(ctx, caller, await sendEvidence(ctx, caller, params.disputeId, body.text)),
  }),
  merchantRoute({
    method: "POST",
    path: "/disputes/{disputeId}/accept",
    name: "acceptDispute",
    group: GROUP,
    summary: "Accept a dispute",
    about: "The payer keeps the money. Not possible once evidence was sent.",
    scope: "write",
    answer: DisputeAnswer,
    refusals: ["dispute_state_conflict"],
    run: async (ctx, { caller, params }) =>
      presented(ctx, caller, await acceptDispute(ctx, caller, params.disputeId)),
  }),
];

const presented = ({ settings }: Context, { mode }: Caller, dispute: Dispute) =>
  presentDispute(dispute, mode, settings.baseUrl);

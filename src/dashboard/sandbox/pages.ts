import { payOwnPayId } from "../../features/incoming-transfers/index.ts";
import { payIdEmail } from "../../features/payment-requests/index.ts";
import { advanceClock, runSettlements } from "../../features/sandbox/index.ts";
import { refuse } from "../../kernel/refusal.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import { type MerchantPage, type MerchantVisit, type PageAnswer, redirect } from "../shell/page.ts";
import { openPayIds, waitingForSettlement } from "./queries.ts";
import { SCENARIOS } from "./scenarios.ts";
import { makeTestPayment } from "./test-payment.ts";
import { sandboxView } from "./view.ts";

const UNITS = new Map([
  ["seconds", SECOND],
  ["minutes", MINUTE],
  ["hours", HOUR],
  ["days", DAY],
]);
const LONGEST_ADVANCE = 366 * DAY;

const home = ({ base }: MerchantVisit) => `${base}/sandbox`;

/** A live merchant has no such page. */
function sandboxOnly(page: MerchantPage): MerchantPage {
  return {
    ...page,
    run: (ctx, visit) =>
      visit.merchant.mode === "sandbox" ? page.run(ctx, visit) : refuse("resource_not_found"),
  };
}

const PAGES: readonly MerchantPage[] = [
  { method: "GET", path: "/sandbox", right: "read", run: (ctx, visit) => showSandbox(ctx, visit, {}) },
  {
    method: "POST",
    path: "/sandbox/payment",
    right: "act",
    audit: "test payment made",
    backTo: home,
    run: async (ctx, visit) => {
      const { fields, base, now } = visit;
      const scenario = SCENARIOS.find(({ id }) => id === fields["scenario"]);
      if (scenario === undefined) return showSandbox(ctx, visit, { scenario: "Choose what should happen." });
      const by = fields["by"] === "hand" ? "hand" : "sandbox";
      const capture = fields["capture"] === "manual" ? "manual" : "auto";
      const expiryYear = new Date(now).getUTCFullYear() + 3;
      const request = await makeTestPayment(ctx, visit.caller, { scenario, by, capture, expiryYear });
      const words =
        scenario.kind === "payid"
          ? "The PayID waits for its transfer."
          : by === "hand"
            ? "The hosted page is open for you to pay."
            : `The test payment was made: ${scenario.name}.`;
      return redirect(`${base}/payment-requests/${request.id}`, words);
    },
  },
  {
    method: "POST",
    path: "/sandbox/transfer",
    right: "act",
    audit: "test transfer made",
    backTo: home,
    run: async (ctx, visit) => {
      const { fields, merchant, caller, base, now } = visit;
      const open = (await openPayIds(ctx.db, merchant.id, now)).find(({ id }) => id === fields["request"]);
      if (open === undefined)
        return showSandbox(ctx, visit, { request: "This PayID waits for nothing any more." });
      const late = fields["how"] === "late";
      if (late) await advanceClock(ctx, caller, Math.ceil((open.expiresAt - now) / SECOND) + 1);
      const by = fields["how"] === "short" ? -100 : fields["how"] === "over" ? 100 : 0;
      const { reason } = await payOwnPayId(ctx, late ? { ...caller, idempotencyKey: undefined } : caller, {
        payId: payIdEmail(open.payIdValue, ctx.settings.payIdDomain),
        amount: Math.max(1, open.amount + by),
        payerName: "Sandbox payer",
      });
      const words =
        reason === null
          ? "The transfer was accepted: the request is paid."
          : `The transfer was sent back (${reason}).`;
      return redirect(`${base}/payment-requests/${open.id}`, words, reason === null ? "good" : "info");
    },
  },
  {
    method: "POST",
    path: "/sandbox/settlements",
    right: "act",
    audit: "sandbox settlements run",
    backTo: home,
    run: async (ctx, visit) => {
      const { transactions, refunds, payouts } = await runSettlements(ctx, visit.caller);
      const words = `Settled ${transactions} debits and ${refunds} refunds, and made ${payouts} payouts.`;
      return redirect(home(visit), words);
    },
  },
  {
    method: "POST",
    path: "/sandbox/clock",
    right: "act",
    audit: "sandbox clock moved",
    backTo: home,
    run: async (ctx, visit) => {
      const count = Number((visit.fields["count"] ?? "").trim());
      const ahead = count * (UNITS.get(visit.fields["unit"] ?? "") ?? 0);
      if (!Number.isSafeInteger(count) || ahead < SECOND || ahead > LONGEST_ADVANCE) {
        return showSandbox(ctx, visit, { count: "A whole number, up to 366 days." });
      }
      await advanceClock(ctx, visit.caller, ahead / SECOND);
      return redirect(home(visit), "The clock was moved ahead.");
    },
    onRefused: (ctx, visit, refused) => showSandbox(ctx, visit, { count: refused.words }),
  },
];

export const sandboxPages: readonly MerchantPage[] = PAGES.map(sandboxOnly);

async function showSandbox(
  ctx: Context,
  visit: MerchantVisit,
  problems: Readonly<Record<string, string>>,
): Promise<PageAnswer> {
  const { merchant, now } = visit;
  const [open, waiting] = await Promise.all([
    openPayIds(ctx.db, merchant.id, now),
    waitingForSettlement(ctx.db, merchant.id),
  ]);
  const wrong = Object.keys(problems).length > 0;
  const content = sandboxView(visit, {
    payIds: open.map((one) => ({ ...one, payId: payIdEmail(one.payIdValue, ctx.settings.payIdDomain) })),
    waiting,
    settings: ctx.settings,
    problems,
  });
  return { title: "Sandbox", section: "sandbox", content, status: wrong ? 400 : 200 };
}

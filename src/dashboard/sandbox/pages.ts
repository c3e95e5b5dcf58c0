import { BANK_APP_PATH } from "../../features/hosted-pages/index.ts";
import { payOwnPayId } from "../../features/incoming-transfers/index.ts";
import { zoneOf } from "../../features/merchants/index.ts";
import { payIdEmail } from "../../features/payids/index.ts";
import { advanceClock, runSettlements } from "../../features/sandbox/index.ts";
import { refuse } from "../../kernel/refusal.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { MerchantPage, MerchantVisit, PageAnswer } from "../shell/visit.ts";
import { openPayIds, waitingForSettlement } from "./queries.ts";
import { SCENARIOS } from "./scenarios.ts";
import { makeTestPayment } from "./test-payment.ts";
import { sandboxPage } from "./view.ts";

const UNITS = new Map([
  ["seconds", SECOND],
  ["minutes", MINUTE],
  ["hours", HOUR],
  ["days", DAY],
]);
const LONGEST = 366 * DAY;

const home = ({ base }: MerchantVisit) => `${base}/sandbox`;

/** Only a sandbox merchant has this corner; for a live one there is no such page. */
function inSandbox(page: MerchantPage): MerchantPage {
  const { run, again } = page;
  return {
    ...page,
    run: (ctx, visit) => (visit.merchant.mode === "sandbox" ? run(ctx, visit) : refuse("resource_not_found")),
    ...(again === undefined ? {} : { again }),
  };
}

const PAGES: readonly MerchantPage[] = [
  { method: "GET", path: "/sandbox", may: "read", run: (ctx, visit) => show(ctx, visit, {}) },
  {
    method: "POST",
    path: "/sandbox/payment",
    may: "act",
    audit: "test payment made",
    back: home,
    run: async (ctx, visit) => {
      const { fields, base, merchant } = visit;
      const scenario = SCENARIOS.find(({ id }) => id === fields["scenario"]);
      if (scenario === undefined) return show(ctx, visit, { scenario: "Choose what should happen." });
      const by = fields["by"] === "hand" ? "hand" : "sandbox";
      const capture = fields["capture"] === "manual" ? "manual" : "auto";
      const year = new Date(clockOf(ctx, merchant)).getUTCFullYear();
      const request = await makeTestPayment(ctx, visit.caller, { scenario, by, capture }, year);
      const words =
        scenario.kind === "payid"
          ? "The PayID waits for its transfer."
          : by === "hand"
            ? "The hosted page is open for you to pay."
            : `The test payment was made: ${scenario.name}.`;
      return { goTo: `${base}/payment-requests/${request.id}`, say: { tone: "good", words } };
    },
  },
  {
    method: "POST",
    path: "/sandbox/transfer",
    may: "act",
    audit: "test transfer made",
    back: home,
    run: async (ctx, visit) => {
      const { fields, merchant, caller, base } = visit;
      const now = clockOf(ctx, merchant);
      const open = (await openPayIds(ctx.db, merchant.id, now)).find(({ id }) => id === fields["request"]);
      if (open === undefined) return show(ctx, visit, { request: "This PayID waits for nothing any more." });
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
      return {
        goTo: `${base}/payment-requests/${open.id}`,
        say: { tone: reason === null ? "good" : "info", words },
      };
    },
  },
  {
    method: "POST",
    path: "/sandbox/settlements",
    may: "act",
    audit: "sandbox settlements run",
    back: home,
    run: async (ctx, visit) => {
      const { transactions, refunds, payouts } = await runSettlements(ctx, visit.caller);
      const words = `Settled ${transactions} debits and ${refunds} refunds, and made ${payouts} payouts.`;
      return { goTo: home(visit), say: { tone: "good", words } };
    },
  },
  {
    method: "POST",
    path: "/sandbox/clock",
    may: "act",
    audit: "sandbox clock moved",
    back: home,
    run: async (ctx, visit) => {
      const count = Number((visit.fields["count"] ?? "").trim());
      const ahead = count * (UNITS.get(visit.fields["unit"] ?? "") ?? 0);
      if (!Number.isSafeInteger(count) || ahead < SECOND || ahead > LONGEST) {
        return show(ctx, visit, { count: "A whole number, up to 366 days." });
      }
      await advanceClock(ctx, visit.caller, ahead / SECOND);
      return { goTo: home(visit), say: { tone: "good", words: "The clock was moved ahead." } };
    },
    again: (ctx, visit, refused) => show(ctx, visit, { count: refused.words }),
  },
];

export const sandboxPages: readonly MerchantPage[] = PAGES.map(inSandbox);

async function show(
  ctx: Context,
  visit: MerchantVisit,
  problems: Readonly<Record<string, string>>,
): Promise<PageAnswer> {
  const { merchant, base, formToken, fields } = visit;
  const { settings } = ctx;
  const now = clockOf(ctx, merchant);
  const [open, waiting] = await Promise.all([
    openPayIds(ctx.db, merchant.id, now),
    waitingForSettlement(ctx.db, merchant.id),
  ]);
  const wrong = Object.keys(problems).length > 0;
  const content = sandboxPage({
    base,
    zone: zoneOf(merchant),
    now,
    ahead: merchant.clockOffset,
    formToken,
    mayAct: visit.may("act"),
    scenarios: SCENARIOS,
    payIds: open.map((one) => ({ ...one, payId: payIdEmail(one.payIdValue, settings.payIdDomain) })),
    waiting,
    bankApp: settings.hostedUrl + BANK_APP_PATH,
    reference: `${settings.baseUrl}/docs`,
    typed: wrong ? fields : {},
    problems,
  });
  return { title: "Sandbox", section: "sandbox", content, ...(wrong ? { status: 400 } : {}) };
}

import { previewRange } from "../../features/deliveries/index.ts";
import { Refusal } from "../../kernel/refusal.ts";
import { HOUR, MINUTE, parseDateTime, toIso } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { FormFields } from "../../platform/http/form-posts.ts";
import { EVENT_VALUES } from "../../platform/outbox/publish.ts";
import { refusedWords } from "../shell/refused.ts";
import type { MerchantPage, MerchantVisit, PageAnswer, Refused } from "../shell/visit.ts";
import { type RangeTyped, rangeForm, rangeStep } from "./redeliver-view.ts";

export const KINDS = EVENT_VALUES.map((value) => [value, value.replace("_", " ")] as const);

const home = ({ base }: MerchantVisit) => `${base}/events`;

/** Everything of a stretch of time once more: which one, then how much that is, then it is done. */
export const rangePages: readonly MerchantPage[] = [
  {
    method: "GET",
    path: "/events/redeliver",
    may: "act",
    run: async (ctx, visit) => {
      const { query, base, formToken } = visit;
      if (query["from"] === undefined && query["to"] === undefined) return askWhich(ctx, visit, {});
      const input = askOf(query);
      try {
        const { events, deliveries } = await previewRange(ctx, visit.caller, input);
        const content = rangeStep({ base, formToken, input, events, deliveries });
        return { title: "Deliver these events again?", section: "events", content };
      } catch (error) {
        if (!(error instanceof Refusal) || error.status >= 500) throw error;
        return askWhich(ctx, visit, query, refusedWords(error));
      }
    },
  },
  {
    method: "POST",
    path: "/events/redeliver",
    may: "act",
    audit: "events of a stretch of time delivered again",
    back: home,
    run: async (ctx, visit) => {
      const answer = await visit.callApi(ctx, visit.caller, "redeliverEvents", { body: askOf(visit.fields) });
      const { count } = answer as { readonly count: number };
      const words =
        count === 1
          ? "1 delivery is on its way again."
          : `${count.toLocaleString("en-AU")} deliveries are on their way again.`;
      return { goTo: home(visit), say: { tone: "good", words } };
    },
    again: (ctx, visit, refused) => askWhich(ctx, visit, visit.fields, refused),
  },
];

/** What the form asks for, as the body that the API would be sent; what is no moment goes on as it is, to be refused. */
function askOf({ from = "", to = "", event = "" }: FormFields) {
  return {
    createdFrom: momentOf(from),
    createdTo: momentOf(to),
    ...(EVENT_VALUES.some((value) => value === event) ? { event } : {}),
  };
}

/** UTC, with or without its seconds: `2026-11-15 09:00`. */
function momentOf(typed: string): string {
  const text = typed.trim().replace(" ", "T").replace(/Z?$/, "Z");
  const moment = parseDateTime(text);
  return moment === undefined ? typed : toIso(moment);
}

async function askWhich(
  ctx: Context,
  visit: MerchantVisit,
  typed: FormFields,
  refused?: Refused,
): Promise<PageAnswer> {
  const now = clockOf(ctx, visit.merchant);
  const text = (moment: number) => new Date(moment).toISOString().slice(0, 16).replace("T", " ");
  const { from = text(now - HOUR), to = text(now + MINUTE), event = "" } = typed;
  const fields: RangeTyped = { from, to, event };
  const wrong = refused?.byField ?? {};
  const loose = refused !== undefined && Object.keys(wrong).length === 0 ? refused.words : undefined;
  const problems = { from: wrong["/createdFrom"], to: wrong["/createdTo"] ?? loose };
  const content = rangeForm({ base: visit.base, typed: fields, problems, kinds: KINDS });
  const title = "Deliver a stretch of time again";
  return { title, section: "events", content, status: refused?.status ?? 200 };
}

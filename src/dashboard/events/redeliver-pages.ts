import { previewRange } from "../../features/deliveries/index.ts";
import { Refusal } from "../../kernel/refusal.ts";
import { HOUR, MINUTE, toIso } from "../../kernel/time.ts";
import type { FormFields } from "../../platform/http/form-posts.ts";
import { EVENT_VALUES } from "../../platform/outbox/publish.ts";
import {
  type MerchantPage,
  type MerchantVisit,
  merchantPage,
  type PageAnswer,
  type Refused,
  redirect,
} from "../shell/page.ts";
import { refusedWords } from "../shell/refused.ts";
import { momentOf, wallTime } from "../shell/wall-times.ts";
import { rangeStep, rangeView } from "./redeliver-view.ts";

const home = ({ base }: MerchantVisit) => `${base}/events`;

/** Delivers the events of a time range again: the user chooses it, sees how many they are, and confirms. */
export const redeliverPages: readonly MerchantPage[] = [
  merchantPage({
    method: "GET",
    path: "/events/redeliver",
    right: "act",
    run: async (ctx, visit) => {
      const { query } = visit;
      if (query["from"] === undefined && query["to"] === undefined) return showForm(visit, {});
      const range = rangeOf(query, visit.zone);
      try {
        const content = rangeStep(visit, range, await previewRange(ctx, visit.caller, range));
        return { title: "Deliver these events again?", section: "events", content };
      } catch (error) {
        if (!(error instanceof Refusal) || error.status >= 500) throw error;
        return showForm(visit, query, refusedWords(error));
      }
    },
  }),
  merchantPage({
    method: "POST",
    path: "/events/redeliver",
    right: "act",
    audit: "events of a time range delivered again",
    backTo: home,
    run: async (ctx, visit) => {
      const body = rangeOf(visit.fields, visit.zone);
      const { count } = (await visit.callApi(ctx, visit.caller, "redeliverEvents", { body })) as {
        readonly count: number;
      };
      const words =
        count === 1
          ? "1 delivery is on its way again."
          : `${count.toLocaleString("en-AU")} deliveries are on their way again.`;
      return redirect(home(visit), words);
    },
    onRefused: async (_ctx, visit, refused) => showForm(visit, visit.fields, refused),
  }),
];

/** The form as the body of the API call. A text that is no time is passed on, for the API to refuse. */
function rangeOf({ from = "", to = "", event = "" }: FormFields, zone: string) {
  return {
    createdFrom: timeOf(from, zone),
    createdTo: timeOf(to, zone),
    ...(EVENT_VALUES.some((value) => value === event) ? { event } : {}),
  };
}

function timeOf(typed: string, zone: string): string {
  const moment = momentOf(typed, zone);
  return moment === undefined ? typed : toIso(moment);
}

function showForm(visit: MerchantVisit, typed: FormFields, refused?: Refused): PageAnswer {
  const text = (moment: number) => wallTime(moment, visit.zone);
  const { from = text(visit.now - HOUR), to = text(visit.now + MINUTE), event = "" } = typed;
  const wrong = refused?.byField ?? {};
  const loose = refused !== undefined && Object.keys(wrong).length === 0 ? refused.words : undefined;
  const problems = { from: wrong["/createdFrom"], to: wrong["/createdTo"] ?? loose };
  return {
    title: "Deliver a time range again",
    section: "events",
    content: rangeView(visit, { from, to, event }, problems),
    status: refused?.status ?? 200,
  };
}

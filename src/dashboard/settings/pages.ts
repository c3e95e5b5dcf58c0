import {
  accountChangeProblems,
  changeAccountAsOperator,
  findMerchant,
} from "../../features/merchants/index.ts";
import { CARD_TYPES } from "../../kernel/card-type.ts";
import { refuseAll } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import type { FormFields } from "../../platform/http/form-posts.ts";
import {
  type MerchantPage,
  type MerchantVisit,
  merchantPage,
  type PageAnswer,
  type Refused,
  redirect,
} from "../shell/page.ts";
import { type SettingsPart, settingsView } from "./view.ts";

const home = ({ base }: MerchantVisit) => `${base}/settings`;

/** Each part of the page is a form, read as the body of the API call. */
const READERS: Readonly<Record<SettingsPart, (fields: FormFields, visit: MerchantVisit) => object>> = {
  account: ({ name = "", country = "", currencyCode = "" }) => ({ name: name.trim(), country, currencyCode }),
  capabilities: (fields, { merchant }) => ({
    capabilities: Object.fromEntries(
      Object.keys(merchant.capabilities).map((name) => [name, fields[name] === "on"]),
    ),
    threeDSecureAttempted: fields["declinesAttempted"] === "on" ? "decline" : "proceed",
    threeDSecureUnavailable: fields["proceedsUnauthenticated"] === "on" ? "proceed" : "decline",
  }),
  origins: ({ allowedOrigins = "" }) => ({
    allowedOrigins: allowedOrigins.split(/\s+/).filter((line) => line !== ""),
  }),
  surcharging: (fields, { merchant }) => ({
    surcharging: {
      enabled: fields["enabled"] === "on",
      rates: Object.fromEntries(
        CARD_TYPES.flatMap((cardType) => {
          const rate = rateOf(fields, cardType);
          const known = merchant.surcharging.rates[cardType] !== undefined;
          return rate === null && !known ? [] : [[cardType, rate]];
        }),
      ),
    },
  }),
};

/** What will refuse the gateway's next start, in one line: an open live merchant rules more out. */
export type StartProblems = (ctx: Context) => Promise<string | undefined>;

export const settingsPages = (startProblems: StartProblems): readonly MerchantPage[] => [
  merchantPage({
    method: "GET",
    path: "/settings",
    right: "read",
    run: async (_ctx, visit) => ({
      title: "Settings",
      section: "settings",
      content: settingsView(visit, undefined),
    }),
  }),
  ...(Object.keys(READERS) as SettingsPart[]).map((part) =>
    merchantPage({
      method: "POST",
      path: `/settings/${part}`,
      right: "manage",
      audit: `account settings: ${part}`,
      backTo: home,
      onRefused: async (_ctx, visit, refused) => showProblems(visit, part, refused),
      run: async (ctx, visit) => {
        await changeSettings(ctx, visit, READERS[part](visit.fields, visit));
        const mayOpen = part === "capabilities" && visit.merchant.mode === "live";
        const unfit = mayOpen ? await startProblems(ctx) : undefined;
        return unfit === undefined ? redirect(home(visit), "Saved.") : showUnfit(ctx, visit, unfit);
      },
    }),
  ),
];

/** Only the operator changes a live account; the API refuses every other caller. */
async function changeSettings(ctx: Context, visit: MerchantVisit, change: object): Promise<void> {
  const { merchant, caller, callApi } = visit;
  if (merchant.mode === "sandbox" || !visit.may("operate")) {
    await callApi(ctx, caller, "changeAccount", { body: change });
    return;
  }
  refuseAll(accountChangeProblems(change, merchant));
  await changeAccountAsOperator(ctx, merchant.id, change);
}

/** No redirect: an operator without a second factor, which an open live merchant requires, would not see the notice. */
async function showUnfit(ctx: Context, visit: MerchantVisit, unfit: string): Promise<PageAnswer> {
  const merchant = (await findMerchant(ctx.db, visit.merchant.id)) ?? visit.merchant;
  return {
    title: "Settings",
    section: "settings",
    content: settingsView({ ...visit, merchant }, undefined),
    notice: { tone: "bad", words: `Saved, but the next start will be refused: ${unfit}.` },
  };
}

/** Null where nothing was typed: no rate. A text that is no number is passed on, for the schema to refuse. */
function rateOf(fields: FormFields, cardType: string): object | null {
  const [percent = "", fixed = "", from = "", until = ""] = ["percent", "fixed", "from", "until"].map(
    (name) => (fields[`${cardType}.${name}`] ?? "").trim(),
  );
  if (percent === "" && fixed === "" && from === "" && until === "") return null;
  return {
    percent: numberOf(percent === "" ? "0" : percent),
    fixed: numberOf(fixed === "" ? "0" : fixed),
    from: from === "" ? null : from,
    until: until === "" ? null : until,
  };
}

function numberOf(text: string): number | string {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

function showProblems(visit: MerchantVisit, part: SettingsPart, { byField }: Refused): PageAnswer {
  return {
    title: "Settings",
    section: "settings",
    content: settingsView(visit, { part, byField }),
    notice: { tone: "bad", words: "Nothing was saved. Check the marked fields." },
  };
}

import { accountChangeProblems, changeAccountAsOperator, zoneOf } from "../../features/merchants/index.ts";
import { CARD_TYPES } from "../../kernel/card-type.ts";
import { refuse, refuseAll } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import type { FormFields } from "../../platform/http/form-posts.ts";
import { exactTime } from "../shell/times.ts";
import type { MerchantPage, MerchantVisit, PageAnswer, Refused } from "../shell/visit.ts";
import { settingsPage } from "./view.ts";

export const settingsPages: readonly MerchantPage[] = [
  { method: "GET", path: "/settings", may: "read", run: showSettings },
  {
    method: "POST",
    path: "/settings/:part",
    may: "manage",
    audit: "account settings",
    back: ({ base }) => `${base}/settings`,
    again: showSettings,
    run: async (ctx, visit) => {
      const { part = "" } = visit.params;
      const read = (Object.hasOwn(READERS, part) ? READERS[part] : undefined) ?? refuse("resource_not_found");
      await changeSettings(ctx, visit, read(visit.fields, visit));
      return { goTo: `${visit.base}/settings`, say: { tone: "good", words: "Saved." } };
    },
  },
];

/** A live account is changed by its operator, here as elsewhere; the API refuses everybody else. */
async function changeSettings(ctx: Context, visit: MerchantVisit, change: object): Promise<void> {
  const { merchant, caller, callApi } = visit;
  if (merchant.mode === "sandbox" || !visit.may("operate")) {
    await callApi(ctx, caller, "changeAccount", { body: change });
    return;
  }
  refuseAll(accountChangeProblems(change, merchant));
  await changeAccountAsOperator(ctx, merchant.id, change);
}

/** The parts of the page, each a form of its own, as the body that the API would be sent. */
const READERS: Readonly<Record<string, (fields: FormFields, visit: MerchantVisit) => object>> = {
  account: ({ name = "", country = "", currencyCode = "" }) => ({ name: name.trim(), country, currencyCode }),
  capabilities: (fields, { merchant }) => ({
    capabilities: Object.fromEntries(
      Object.keys(merchant.capabilities).map((name) => [name, fields[name] === "on"]),
    ),
  }),
  origins: ({ allowedOrigins = "" }) => ({ allowedOrigins: linesOf(allowedOrigins) }),
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

function linesOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((line) => line !== "");
}

/** Null where nothing was typed: no rate. What is no number goes on as it is, for the schema to refuse. */
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

async function showSettings(_ctx: Context, visit: MerchantVisit, refused?: Refused): Promise<PageAnswer> {
  const { merchant, base, formToken, fields, params } = visit;
  const mayChange = visit.may("manage") && (merchant.mode === "sandbox" || visit.may("operate"));
  const content = settingsPage({
    base,
    formToken,
    mayChange,
    account: {
      id: merchant.id,
      mode: merchant.mode,
      name: merchant.name,
      country: merchant.country,
      currencyCode: merchant.currency,
      capabilities: merchant.capabilities,
      allowedOrigins: merchant.allowedOrigins,
      surcharging: merchant.surcharging,
      made: exactTime(merchant.createdAt, zoneOf(merchant)),
    },
    cardTypes: CARD_TYPES,
    refused: refused && { part: params["part"] ?? "", fields, byField: refused.byField },
  });
  const notice = refused && ({ tone: "bad", words: "Nothing was saved. Check the marked fields." } as const);
  return { title: "Settings", section: "settings", content, ...(notice === undefined ? {} : { notice }) };
}

import { type Html, html } from "../../../browser/ui/html.ts";
import type { Merchant } from "../../features/merchants/index.ts";
import { CARD_TYPES, type CardType, schemeName } from "../../kernel/card-type.ts";
import { COUNTRIES, MERCHANT_COUNTRIES } from "../../kernel/country.ts";
import { CURRENCIES } from "../../kernel/money.ts";
import type { MerchantVisit, Refused } from "../shell/page.ts";
import { badge } from "../shell/parts/badge.ts";
import { copyable, facts, panel } from "../shell/parts/facts.ts";
import { check, choice, field, group, postForm, textArea } from "../shell/parts/form.ts";
import { exactTime } from "../shell/times.ts";
import { capabilityWords } from "../shell/words.ts";

export type SettingsPart = "account" | "capabilities" | "origins" | "surcharging";

/** The part whose form was refused, and why. */
type RefusedPart = { readonly part: SettingsPart; readonly byField: Refused["byField"] };

type Model = MerchantVisit & { readonly refused: RefusedPart | undefined };

export function settingsView(visit: MerchantVisit, refused: RefusedPart | undefined): Html {
  const { base, merchant, zone, may } = visit;
  const model = { ...visit, refused };
  const mayChange = may("manage") && (merchant.mode === "sandbox" || may("operate"));
  const about = facts([
    ["Merchant id", copyable(merchant.id, "the merchant id")],
    ["Mode", badge(merchant.mode, merchant.mode === "live" ? "live" : "quiet")],
    ["Created", exactTime(merchant.createdAt, zone)],
    ["Theme of the checkout", html`<a href="${base}/settings/theme">Try the variables in a preview</a>`],
  ]);
  if (!mayChange) return html`${panel("About", about)}${readOnlyPanel(merchant)}`;
  return html`${panel("About", about)}
${panel("Account", partForm(visit, "account", accountFields(model)))}
${panel("Capabilities", partForm(visit, "capabilities", capabilityFields(merchant)))}
${panel("Pages that may embed the checkout", partForm(visit, "origins", originFields(model)))}
${panel("Surcharges", partForm(visit, "surcharging", surchargeFields(model)))}`;
}

function partForm({ base, formToken }: MerchantVisit, name: SettingsPart, content: Html): Html {
  const wide = name === "surcharging";
  return postForm({ action: `${base}/settings/${name}`, formToken, button: "Save", content, wide });
}

/** The typed text, where this part was refused; else the account's value. */
function typedOr({ refused, fields }: Model, part: SettingsPart, name: string, own: string): string {
  return refused?.part === part ? (fields[name] ?? "") : own;
}

function problemOf({ refused }: Model, pointer: string): string | undefined {
  return refused?.byField[pointer];
}

function accountFields(model: Model): Html {
  const { name, country, currency } = model.merchant;
  return html`${field({ name: "name", label: "Name", value: typedOr(model, "account", "name", name), hint: "Payers read it on the hosted page.", problem: problemOf(model, "/name") })}
<div class="two">${choice({
    name: "country",
    label: "Country",
    value: typedOr(model, "account", "country", country),
    among: MERCHANT_COUNTRIES.map((value) => ({ value, label: COUNTRIES[value].name })),
    problem: problemOf(model, "/country"),
  })}${choice({
    name: "currencyCode",
    label: "Currency",
    value: typedOr(model, "account", "currencyCode", currency),
    among: CURRENCIES.map((value) => ({ value, label: value })),
    problem: problemOf(model, "/currencyCode"),
  })}</div>`;
}

function capabilityFields({ capabilities, threeDSecureAttempted, threeDSecureUnavailable }: Merchant): Html {
  const boxes = Object.entries(capabilities).map(([name, on]) =>
    check({ name, label: capabilityWords(name), on }),
  );
  return html`${group("What this account can take", boxes)}${check({
    name: "proceedsUnauthenticated",
    label: "Proceed without 3D Secure while it is unavailable",
    on: threeDSecureUnavailable === "proceed",
    hint: "The merchant then bears the liability. Otherwise such payments are declined.",
  })}${check({
    name: "declinesAttempted",
    label: "Decline where 3D Secure was only attempted",
    on: threeDSecureAttempted === "decline",
    hint: "The payer's bank takes no part in it; the scheme usually bears the liability. Otherwise such payments proceed.",
  })}`;
}

function originFields(model: Model): Html {
  const { allowedOrigins } = model.merchant;
  const lines = Object.keys(model.refused?.byField ?? {})
    .filter((pointer) => /^\/allowedOrigins/.test(pointer))
    .map((pointer) => {
      const place = /\/(\d+)$/.exec(pointer);
      const words = problemOf(model, pointer) ?? "";
      return place === null ? words : `Entry ${Number(place[1]) + 1}: ${words}`;
    });
  return textArea({
    name: "allowedOrigins",
    label: "Origins, one a line",
    hint: "Such as https://shop.example. Left empty, any page may embed it.",
    rows: Math.min(8, Math.max(3, allowedOrigins.length + 1)),
    value: typedOr(model, "origins", "allowedOrigins", allowedOrigins.join("\n")),
    problem: lines.length === 0 ? undefined : lines.join(" "),
  });
}

const RATE_FIELDS = [
  { name: "percent", label: "Percent", type: "text", mode: "decimal" },
  { name: "fixed", label: "Cents", type: "text", mode: "numeric" },
  { name: "from", label: "First day", type: "date", mode: "text" },
  { name: "until", label: "Last day", type: "date", mode: "text" },
] as const;

function surchargeFields(model: Model): Html {
  const { merchant, fields, refused } = model;
  const on = refused?.part === "surcharging" ? fields["enabled"] === "on" : merchant.surcharging.enabled;
  const rows = CARD_TYPES.map(
    (cardType) =>
      html`<tr><th scope="row">${schemeName(cardType)}</th>${RATE_FIELDS.map((one) => rateCell(model, cardType, one))}</tr>`,
  );
  return html`${check({ name: "enabled", label: "Add surcharges", on, hint: "Payers see amount, surcharge and total before they pay." })}
<div class="scroll rates" role="region" aria-label="Rates by card type" tabindex="0"><table>
<caption class="visually-hidden">Rates by card type</caption>
<thead><tr><th scope="col">Card type</th>${RATE_FIELDS.map(({ label }) => html`<th scope="col">${label}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>
<p class="hint">A rate holds from its first to its last day, in the account's time zone; without days it always holds. Empty: no surcharge.</p>`;
}

function rateCell(
  model: Model,
  cardType: CardType,
  { name, label, type, mode }: (typeof RATE_FIELDS)[number],
): Html {
  const known = model.merchant.surcharging.rates[cardType]?.[name];
  const value = typedOr(
    model,
    "surcharging",
    `${cardType}.${name}`,
    known === undefined ? "" : String(known),
  );
  const problem = problemOf(model, `/surcharging/rates/${cardType}/${name}`);
  const id = `f-${cardType}-${name}`;
  return html`<td${problem !== undefined && html` class="field-wrong"`}><input id="${id}" name="${cardType}.${name}" type="${type}" inputmode="${mode}" autocomplete="off" value="${value}" aria-label="${schemeName(cardType)}: ${label}"${problem !== undefined && html` aria-invalid="true" aria-describedby="p-${cardType}-${name}"`}>${problem !== undefined && html`<span class="problem" id="p-${cardType}-${name}">${problem}</span>`}</td>`;
}

function readOnlyPanel({
  mode,
  name,
  country,
  currency,
  capabilities,
  allowedOrigins,
  surcharging,
  threeDSecureAttempted,
  threeDSecureUnavailable,
}: Merchant): Html {
  const able = Object.entries(capabilities).filter(([, on]) => on);
  const rates = CARD_TYPES.flatMap((cardType) => {
    const rate = surcharging.rates[cardType];
    return rate === undefined ? [] : [`${schemeName(cardType)} ${rate.percent}% + ${rate.fixed}c`];
  });
  return panel(
    "Account",
    html`${facts([
      ["Name", name],
      ["Country, currency", `${country}, ${currency}`],
      ["Capabilities", able.map(([capability]) => capabilityWords(capability)).join(", ")],
      ["Where 3D Secure was only attempted", threeDSecureAttempted],
      ["While 3D Secure is unavailable", threeDSecureUnavailable],
      ["Pages that may embed the checkout", allowedOrigins.length === 0 ? "any" : allowedOrigins.join(", ")],
      ["Surcharges", surcharging.enabled ? rates.join(", ") : "off"],
    ])}
<p class="hint">${mode === "live" ? "A live account is changed by the gateway's operator." : "An administrator of the account changes this."}</p>`,
  );
}

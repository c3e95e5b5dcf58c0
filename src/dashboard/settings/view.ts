import { type Html, html } from "../../../browser/ui/html.ts";
import { badge } from "../shell/parts/badge.ts";
import { copyable, facts, panel } from "../shell/parts/facts.ts";
import { check, choice, field, group, postForm, textArea } from "../shell/parts/form.ts";

type Rate = {
  readonly percent: number;
  readonly fixed: number;
  readonly from?: string;
  readonly until?: string;
};

export type SettingsModel = {
  readonly base: string;
  readonly formToken: string;
  readonly mayChange: boolean;
  readonly account: {
    readonly id: string;
    readonly mode: "sandbox" | "live";
    readonly name: string;
    readonly country: string;
    readonly currencyCode: string;
    readonly capabilities: Readonly<Record<string, boolean>>;
    readonly allowedOrigins: readonly string[];
    readonly surcharging: {
      readonly enabled: boolean;
      readonly rates: Readonly<Record<string, Rate | undefined>>;
    };
    /** When the account was made, in words. */
    readonly made: string;
  };
  readonly cardTypes: readonly string[];
  /** What was typed into which part, and what is wrong with it. */
  readonly refused:
    | {
        readonly part: string;
        readonly fields: Readonly<Record<string, string>>;
        readonly byField: Readonly<Record<string, string>>;
      }
    | undefined;
};

const CAPABILITY_WORDS: Readonly<Record<string, string>> = {
  cardNotPresent: "Cards",
  threeDSecure: "3D Secure",
  applePay: "Apple Pay",
  googlePay: "Google Pay",
  directDebit: "Direct debit",
  payId: "PayID",
};

export function settingsPage(model: SettingsModel): Html {
  const { account, mayChange, base } = model;
  const about = facts([
    ["Merchant id", copyable(account.id, "the merchant id")],
    ["Mode", badge(account.mode, account.mode === "live" ? "live" : "quiet")],
    ["Made", account.made],
    ["Look of the checkout", html`<a href="${base}/settings/look">Try the variables in a preview</a>`],
  ]);
  if (!mayChange) return html`${panel("About", about)}${readOnly(model)}`;
  return html`${panel("About", about)}
${panel("Account", part(model, "account", accountFields(model)))}
${panel("Capabilities", part(model, "capabilities", capabilityFields(model)))}
${panel("Pages that may embed the checkout", part(model, "origins", originFields(model)))}
${panel("Surcharges", part(model, "surcharging", surchargeFields(model)))}`;
}

function part({ base, formToken }: SettingsModel, name: string, content: Html): Html {
  const wide = name === "surcharging";
  return postForm({ action: `${base}/settings/${name}`, formToken, button: "Save", content, wide });
}

/** What was typed, where this part was refused; else what the account has. */
function typedOr(model: SettingsModel, name: string, inPart: string, own: string): string {
  const { refused } = model;
  return refused !== undefined && refused.part === inPart ? (refused.fields[name] ?? "") : own;
}

function problemOf({ refused }: SettingsModel, pointer: string): string | undefined {
  return refused === undefined ? undefined : refused.byField[pointer];
}

function accountFields(model: SettingsModel): Html {
  const { name, country, currencyCode } = model.account;
  return html`${field({ name: "name", label: "Name", value: typedOr(model, "name", "account", name), hint: "Payers read it on the hosted page.", problem: problemOf(model, "/name") })}
<div class="two">${choice({
    name: "country",
    label: "Country",
    value: typedOr(model, "country", "account", country),
    among: [
      { value: "AU", label: "Australia" },
      { value: "NZ", label: "New Zealand" },
    ],
    problem: problemOf(model, "/country"),
  })}${choice({
    name: "currencyCode",
    label: "Currency",
    value: typedOr(model, "currencyCode", "account", currencyCode),
    among: ["AUD", "NZD"].map((value) => ({ value, label: value })),
    problem: problemOf(model, "/currencyCode"),
  })}</div>`;
}

function capabilityFields({ account }: SettingsModel): Html {
  const boxes = Object.keys(account.capabilities).map((name) =>
    check({ name, label: CAPABILITY_WORDS[name] ?? name, on: account.capabilities[name] === true }),
  );
  return group("What this account can take", boxes);
}

function originFields(model: SettingsModel): Html {
  const { refused, account } = model;
  const lines = Object.keys(refused === undefined ? {} : refused.byField)
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
    rows: Math.min(8, Math.max(3, account.allowedOrigins.length + 1)),
    value: typedOr(model, "allowedOrigins", "origins", account.allowedOrigins.join("\n")),
    problem: lines.length === 0 ? undefined : lines.join(" "),
  });
}

const RATE_FIELDS = [
  { name: "percent", label: "Percent", type: "text", mode: "decimal" },
  { name: "fixed", label: "Cents", type: "text", mode: "numeric" },
  { name: "from", label: "First day", type: "date", mode: "text" },
  { name: "until", label: "Last day", type: "date", mode: "text" },
] as const;

function surchargeFields(model: SettingsModel): Html {
  const { account, cardTypes, refused } = model;
  const again = refused !== undefined && refused.part === "surcharging";
  const on = again ? refused.fields["enabled"] === "on" : account.surcharging.enabled;
  const rows = cardTypes.map(
    (cardType) =>
      html`<tr><th scope="row">${cardType}</th>${RATE_FIELDS.map((one) => rateCell(model, cardType, one))}</tr>`,
  );
  return html`${check({ name: "enabled", label: "Add surcharges", on, hint: "Payers see amount, surcharge and total before they pay." })}
<div class="scroll rates" role="region" aria-label="Rates by card type" tabindex="0"><table>
<caption class="visually-hidden">Rates by card type</caption>
<thead><tr><th scope="col">Card type</th>${RATE_FIELDS.map(({ label }) => html`<th scope="col">${label}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>
<p class="hint">A rate holds from its first to its last day, in the account's time zone; without days it always holds. Empty: no surcharge.</p>`;
}

function rateCell(
  model: SettingsModel,
  cardType: string,
  { name, label, type, mode }: (typeof RATE_FIELDS)[number],
): Html {
  const rate = model.account.surcharging.rates[cardType];
  const known = rate === undefined ? undefined : rate[name];
  const value = typedOr(
    model,
    `${cardType}.${name}`,
    "surcharging",
    known === undefined ? "" : String(known),
  );
  const problem = problemOf(model, `/surcharging/rates/${cardType}/${name}`);
  const id = `f-${cardType}-${name}`;
  return html`<td${problem !== undefined && html` class="field-wrong"`}><input id="${id}" name="${cardType}.${name}" type="${type}" inputmode="${mode}" autocomplete="off" value="${value}" aria-label="${cardType}: ${label}"${problem !== undefined && html` aria-invalid="true" aria-describedby="p-${cardType}-${name}"`}>${problem !== undefined && html`<span class="problem" id="p-${cardType}-${name}">${problem}</span>`}</td>`;
}

function readOnly({ account, cardTypes }: SettingsModel): Html {
  const able = Object.keys(account.capabilities).filter((name) => account.capabilities[name] === true);
  const rates = cardTypes
    .map((cardType) => ({ cardType, rate: account.surcharging.rates[cardType] }))
    .filter(({ rate }) => rate !== undefined)
    .map(
      ({ cardType, rate }) =>
        `${cardType} ${rate === undefined ? "" : rate.percent}% + ${rate === undefined ? "" : rate.fixed}c`,
    );
  return panel(
    "Account",
    html`${facts([
      ["Name", account.name],
      ["Country, currency", `${account.country}, ${account.currencyCode}`],
      ["Capabilities", able.map((name) => CAPABILITY_WORDS[name] ?? name).join(", ")],
      [
        "Pages that may embed the checkout",
        account.allowedOrigins.length === 0 ? "any" : account.allowedOrigins.join(", "),
      ],
      ["Surcharges", account.surcharging.enabled ? rates.join(", ") : "off"],
    ])}
<p class="hint">${account.mode === "live" ? "A live account is changed by the gateway's operator." : "An administrator of the account changes this."}</p>`,
  );
}

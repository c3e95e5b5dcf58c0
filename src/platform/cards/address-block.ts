import {
  ADDRESS_LIMITS,
  type AddressCollection,
  type AddressField,
  type BillingAddress,
  fieldsOf,
  ISO_COUNTRY_CODES,
  isRequired,
} from "../../kernel/billing-address.ts";
import { escapeText } from "../../kernel/escape-text.ts";
import type { Catalogue } from "../../kernel/languages/catalogue.ts";

export type AddressBlock = {
  readonly language: Catalogue;
  readonly collection: AddressCollection;
  /** The merchant's: chosen until the payer chooses another. */
  readonly country: string;
  /** What the payer has typed before. */
  readonly typed?: BillingAddress;
  /** The fields that were refused. */
  readonly wrong?: readonly string[];
};

const AUTOCOMPLETE: Readonly<Record<AddressField, string>> = {
  line1: "address-line1",
  city: "address-level2",
  state: "address-level1",
  postcode: "postal-code",
  country: "country",
};

/**
 * The address fields of the payment form as markup, with the names and classes of its other fields. The gateway makes it,
 * so that no script carries its texts and countries. Undefined where the form asks for no address.
 */
export function addressBlock(block: AddressBlock): { readonly html: string } | undefined {
  const { language, collection } = block;
  const fields = fieldsOf(collection);
  if (fields.length === 0) return undefined;
  const one = (field: AddressField) => (fields.includes(field) ? fieldOf(block, field) : "");
  if (fields.length === 1) return { html: `<div class="address">${fields.map(one).join("")}</div>` };
  const rows = `${one("line1")}<div class="pair">${one("city")}${one("state")}</div><div class="pair">${one("postcode")}${one("country")}</div>`;
  return {
    html: `<div class="address" role="group" aria-label="${escapeText(language.address.legend)}">${rows}</div>`,
  };
}

function fieldOf(
  { language, collection, country, typed = {}, wrong = [] }: AddressBlock,
  field: AddressField,
): string {
  const words = language.address;
  const required = isRequired(collection, field);
  const isWrong = wrong.includes(field);
  const problem = escapeText(words[PROBLEMS[field]]);
  const attributes = `id="${field}" name="${field}" autocomplete="billing ${AUTOCOMPLETE[field]}" aria-describedby="${field}-problem" aria-invalid="${isWrong}" data-problem="${problem}"${required ? " required" : ""}`;
  const input =
    field === "country"
      ? `<select ${attributes}>${countryOptions(language, typed.country ?? country)}</select>`
      : `<input type="text" dir="auto" maxlength="${ADDRESS_LIMITS[field]}" value="${escapeText(typed[field] ?? "")}" ${attributes}>`;
  const optional = required
    ? ""
    : `<span class="optional" aria-hidden="true">${escapeText(language.checkout.optional)}</span>`;
  return `<div class="field field-${field}${isWrong ? " field-wrong" : ""}"><div class="label-row"><label for="${field}">${escapeText(words[field])}</label>${optional}</div><div class="box">${input}</div><p class="problem" id="${field}-problem"${isWrong ? "" : " hidden"}>${ALERT}<span>${isWrong ? problem : ""}</span></p></div>`;
}

/** The icon of every field's problem, as `browser/ui/icons.ts` draws it; no script has it for this block alone. */
export const ALERT = `<svg class="icon icon-alert" viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><circle cx="8" cy="8" r="6.25" stroke-width="1.5"/><path stroke-width="1.6" d="M8 4.9v3.6M8 11v.05"/></svg>`;

const PROBLEMS = {
  line1: "line1Problem",
  city: "cityProblem",
  state: "stateProblem",
  postcode: "postcodeProblem",
  country: "countryProblem",
} as const satisfies Record<AddressField, keyof Catalogue["address"]>;

/** In the payer's language and its order. */
function countryOptions({ tag, dates }: Catalogue, chosen: string): string {
  const names = new Intl.DisplayNames([dates, tag, "en"], { type: "region" });
  const { compare } = new Intl.Collator([dates, tag, "en"]);
  return ISO_COUNTRY_CODES.map((code) => ({ code, name: names.of(code) ?? code }))
    .toSorted((one, other) => compare(one.name, other.name))
    .map(
      ({ code, name }) =>
        `<option value="${code}"${code === chosen ? " selected" : ""}>${escapeText(name)}</option>`,
    )
    .join("");
}

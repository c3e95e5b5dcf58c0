import { digitsOf, plainText } from "../../browser/ui/card-number.ts";
import { MAX_NAME_LENGTH } from "../../browser/ui/cardholder-name.ts";
import { readExpiry } from "../../browser/ui/expiry.ts";
import type { CardInput, PayInput } from "../features/checkout/index.ts";
import { ADDRESS_FIELDS, type BillingAddress } from "../kernel/billing-address.ts";
import { defined } from "../kernel/defined.ts";
import type { FormFields } from "../platform/http/form-posts.ts";
import type { Entries } from "./entries.ts";

/** A typed card or a saved one. */
export type Choice = Pick<PayInput, "card" | "savedCard" | "address">;

/** What a form contains that was submitted without scripts. */
export function readChoice(fields: FormFields): Choice {
  const { savedCard: id = "", securityCode = "" } = fields;
  const typed = readAddress(fields);
  const address = Object.keys(typed).length === 0 ? {} : { address: typed };
  return id === ""
    ? { card: readCardForm(fields), ...address }
    : { savedCard: { id, securityCode: plainText(securityCode).trim() }, ...address };
}

/** The parts that the payer filled. */
function readAddress(fields: FormFields): BillingAddress {
  const filled = ADDRESS_FIELDS.map((field) => [field, (fields[field] ?? "").trim()] as const);
  return Object.fromEntries(filled.filter(([, text]) => text !== ""));
}

/** From the form, or what was sealed while the payer confirmed the total. */
export function enteredOf(fields: FormFields, { card, savedCard, address = {} }: Choice): Entries {
  const name = (fields["name"] ?? card?.name ?? "").slice(0, MAX_NAME_LENGTH);
  return defined({
    chosen: savedCard?.id ?? "",
    name: isKept(name) ? name : undefined,
    expiry: card && expiryText(card),
    address: Object.fromEntries(Object.entries(address).filter(([, text]) => isKept(text))),
    consent: fields["consent"] === "yes",
  });
}

/** A card number may have been typed into the wrong field. */
function isKept(text: string): boolean {
  return digitsOf(text).length < 12;
}

/** Never what was typed, which may be a card number. */
function expiryText({ expiryMonth, expiryYear }: CardInput): string | undefined {
  if (expiryYear === 0) return undefined;
  return `${String(expiryMonth).padStart(2, "0")} / ${String(expiryYear).slice(-2)}`;
}

/** An unreadable date becomes one that the rules refuse. */
function readCardForm(fields: FormFields): CardInput {
  const { month, year } = readExpiry(fields["expiry"] ?? "") ?? { month: 0, year: 0 };
  const name = (fields["name"] ?? "").trim();
  return defined({
    number: digitsOf(fields["number"] ?? ""),
    expiryMonth: month,
    expiryYear: year,
    securityCode: plainText(fields["securityCode"] ?? "").trim(),
    name: name === "" ? undefined : name,
  });
}

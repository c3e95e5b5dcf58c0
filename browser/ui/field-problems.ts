import type { AddressField } from "../../src/kernel/billing-address.ts";
import type { CheckoutWords } from "../../src/kernel/languages/catalogue.ts";

/** The names of the form's inputs. */
const FIELD_NAMES = ["number", "expiry", "securityCode", "name"] as const;
export type FieldName = (typeof FIELD_NAMES)[number] | AddressField;
export type FieldProblems = { readonly [field in FieldName]?: string };

/** By the last part of the pointer: a typed card's and a saved one's fields have the same names. */
const BY_NAME: Readonly<Record<string, readonly [FieldName, keyof CheckoutWords]>> = {
  number: ["number", "numberRefused"],
  expiryMonth: ["expiry", "monthRefused"],
  expiryYear: ["expiry", "yearRefused"],
  securityCode: ["securityCode", "codeRefused"],
  name: ["name", "nameRefused"],
};

/** The gateway's refusals as texts for their fields. Codes without a field are left to the caller. */
export function fieldProblems(
  words: CheckoutWords,
  codes: readonly { readonly field?: string }[],
): FieldProblems {
  const problems: { [field in FieldName]?: string } = {};
  for (const { field = "" } of codes) {
    const [, place, part = ""] = field.split("/");
    // Address fields have texts of their own, in their markup.
    const [name, key] = BY_NAME[part] ?? (place === "address" ? [part as FieldName, "nameRefused"] : []);
    if (name !== undefined && key !== undefined && problems[name] === undefined) problems[name] = words[key];
  }
  return problems;
}

/** The names of the form's inputs. */
export const FIELD_NAMES = ["number", "expiry", "securityCode", "name"] as const;
export type FieldName = (typeof FIELD_NAMES)[number];
export type FieldProblems = { readonly [field in FieldName]?: string };

/** By the last part of the pointer: a typed card's and a saved one's fields have the same names. */
const BY_NAME: Readonly<Record<string, readonly [FieldName, string]>> = {
  number: ["number", "This card number was not accepted. Check it, or use another card."],
  expiryMonth: ["expiry", "This expiry date was not accepted. Check the month."],
  expiryYear: ["expiry", "This expiry date was not accepted. Check the year."],
  securityCode: ["securityCode", "This security code was not accepted. Check it."],
  name: ["name", "This name was not accepted. Enter it as it is printed on your card."],
};

/** The gateway's refusals as texts for their fields. Codes without a field are left to the caller. */
export function fieldProblems(codes: readonly { readonly field?: string }[]): FieldProblems {
  const problems: { [field in FieldName]?: string } = {};
  for (const { field = "" } of codes) {
    const [name, words] = BY_NAME[field.split("/")[2] ?? ""] ?? [];
    if (name !== undefined && words !== undefined && problems[name] === undefined) problems[name] = words;
  }
  return problems;
}

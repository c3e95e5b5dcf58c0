/** The names of the form's inputs. */
export const FIELD_NAMES = ["number", "expiry", "securityCode", "name"] as const;
export type FieldName = (typeof FIELD_NAMES)[number];
export type FieldProblems = { readonly [field in FieldName]?: string };

const BY_POINTER: Readonly<Record<string, readonly [FieldName, string]>> = {
  "/card/number": ["number", "This card number was not accepted. Check it, or use another card."],
  "/card/expiryMonth": ["expiry", "This expiry date was not accepted. Check the month."],
  "/card/expiryYear": ["expiry", "This expiry date was not accepted. Check the year."],
  "/card/securityCode": ["securityCode", "This security code was not accepted. Check it."],
  "/card/name": ["name", "This name was not accepted. Enter it as it is printed on your card."],
};

/** The gateway's refusals as texts for their fields. Codes without a field are left to the caller. */
export function fieldProblems(codes: readonly { readonly field?: string }[]): FieldProblems {
  const problems: { [field in FieldName]?: string } = {};
  for (const { field = "" } of codes) {
    const [name, words] = BY_POINTER[field] ?? [];
    if (name !== undefined && words !== undefined && problems[name] === undefined) problems[name] = words;
  }
  return problems;
}

import { defined } from "../../kernel/defined.ts";
import type { PayerAddress } from "../ports/payer.ts";

const LONGEST_POSTCODE = 10;
/** Adyen's words for what the payer was not asked for. */
const NOT_ASKED = "N/A";
const NO_COUNTRY = "ZZ";

/**
 * Adyen takes an address only as a whole, so one with gaps is left out. A postcode alone goes along with Adyen's words for
 * the rest: it is enough for an address check. Adyen wants the house number apart from the street.
 */
export function billingAddressOf({ lines, city, state, postcode, country }: PayerAddress) {
  if (!postcode || postcode.length > LONGEST_POSTCODE) return undefined;
  if (lines.length === 0 && city === undefined && country === undefined) return postcodeAlone(postcode);
  const [first = "", ...more] = lines.map((line) => line.trim()).filter((line) => line !== "");
  if (first === "" || !city || !country) return undefined;
  const [, house = NOT_ASKED, street = first] = /^(\d\S*)\s+(.+)$/.exec(first) ?? [];
  return defined({
    houseNumberOrName: house,
    street: [street, ...more].join(", "),
    city,
    stateOrProvince: state || undefined,
    postalCode: postcode,
    country,
  });
}

function postcodeAlone(postalCode: string) {
  return {
    houseNumberOrName: NOT_ASKED,
    street: NOT_ASKED,
    city: NOT_ASKED,
    postalCode,
    country: NO_COUNTRY,
  };
}

import { isBlank } from "./blank-text.ts";

/** How much of the card's billing address the form asks for. */
export const ADDRESS_COLLECTIONS = ["none", "postcode", "full"] as const;
export type AddressCollection = (typeof ADDRESS_COLLECTIONS)[number];

export const ADDRESS_FIELDS = ["line1", "city", "state", "postcode", "country"] as const;
export type AddressField = (typeof ADDRESS_FIELDS)[number];

/** What a payer typed. Blank parts are absent. */
export type BillingAddress = { readonly [field in AddressField]?: string };

/** The most characters of each part. Ten of a postcode are what acquirers take. */
export const ADDRESS_LIMITS = { line1: 100, city: 60, state: 40, postcode: 10 } as const;

/** The fields of the form, and whether the payer has to fill each. Not every country has states. */
const FIELDS: Readonly<Record<AddressCollection, Partial<Readonly<Record<AddressField, boolean>>>>> = {
  none: {},
  postcode: { postcode: true },
  full: { line1: true, city: true, state: false, postcode: true, country: true },
};

export function fieldsOf(collection: AddressCollection): readonly AddressField[] {
  return ADDRESS_FIELDS.filter((field) => FIELDS[collection][field] !== undefined);
}

export function isRequired(collection: AddressCollection, field: AddressField): boolean {
  return FIELDS[collection][field] === true;
}

/** The parts that are missing, and those that nothing asks for. */
export function wrongFields(
  collection: AddressCollection,
  address: BillingAddress | undefined,
): readonly AddressField[] {
  return ADDRESS_FIELDS.filter((field) => {
    const isGiven = !isBlank(address?.[field] ?? "");
    return isGiven ? FIELDS[collection][field] === undefined : isRequired(collection, field);
  });
}

/** ISO 3166-1, two letters each. */
export const ISO_COUNTRY_CODES =
  `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV
BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB
GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN
KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF
NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO
SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`.split(
    /\s+/,
  );

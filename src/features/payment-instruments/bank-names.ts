/** For an institution that is not in the tables: new banks open after the tables were written. */
export const UNKNOWN_BANK = "Unknown bank";

/**
 * Australian institutions by the first two or three digits of their BSBs; three digits win over two. A brand of a bank
 * has the brand's name. Institutions that share a prefix through an agent bank have the agent's name.
 */
const AUSTRALIA: Readonly<Record<string, readonly string[]>> = {
  "ANZ Bank": ["01"],
  Westpac: ["03", "04", "73", "74"],
  "Commonwealth Bank": ["06", "40", "42", "52", "76"],
  "National Australia Bank": ["08", "78"],
  "Reserve Bank of Australia": ["09"],
  BankSA: ["10"],
  "St.George Bank": ["11", "33", "46"],
  "Bank of Queensland": ["12", "639", "653"],
  Rabobank: ["14"],
  "Town & Country Bank": ["15"],
  "Macquarie Bank": ["18"],
  "Bank of Melbourne": ["19", "55"],
  "JPMorgan Chase Bank": ["21"],
  "BNP Paribas": ["22", "25"],
  "Bank of America": ["23"],
  Citibank: ["24", "510"],
  "BT Financial Group": ["26"],
  "MUFG Bank": ["29"],
  Bankwest: ["30"],
  "Bank Australia": ["31"],
  in1bank: ["311"],
  "KEB Hana Bank": ["323"],
  "Beyond Bank Australia": ["325"],
  "HSBC Bank Australia": ["34", "985"],
  "Bank of China": ["35", "980"],
  "Deutsche Bank": ["41"],
  "Standard Chartered Bank": ["43"],
  "OCBC Bank": ["45"],
  "Challenge Bank": ["47"],
  "Suncorp Bank": ["48", "66"],
  "Community First Bank": ["512"],
  "RACQ Bank": ["514"],
  "BCU Bank": ["533"],
  "Australian Settlements": ["517", "57"],
  "Adelaide Bank": ["61"],
  "Select Credit Union": ["611"],
  "ABS Building Society": ["630"],
  "Bank of us": ["632"],
  "Bendigo Bank": ["633"],
  "Uniting Financial Services": ["634"],
  "Greater Bank": ["637", "657", "680"],
  "Heritage Bank": ["638", "880"],
  "Hume Bank": ["640"],
  "IMB Bank": ["641", "647"],
  "Australian Military Bank": ["642"],
  "Auswide Bank": ["645", "656"],
  "The Mutual Bank": ["646"],
  "Newcastle Permanent": ["650"],
  "Queensland Country Bank": ["654"],
  "MyState Bank": ["655"],
  "SGE Mutual": ["659"],
  "Gateway Bank": ["676"],
  Indue: ["70"],
  "Holiday Coast Credit Union": ["721"],
  "Southern Cross Credit Union": ["722"],
  "Heritage Isle Credit Union": ["723"],
  "MOVE Bank": ["724"],
  "Judo Bank": ["725"],
  "Summerland Bank": ["728"],
  "P&N Bank": ["777"],
  Cuscal: ["636", "670", "80"],
  "Teachers Mutual Bank": ["812"],
  "The Capricornian": ["813"],
  "Great Southern Bank": ["814"],
  "Police Bank": ["815"],
  "Warwick Credit Union": ["817"],
  "Bank of Communications": ["818"],
  "Industrial and Commercial Bank of China": ["819"],
  "Global Payments": ["820"],
  "Encompass Credit Union": ["823"],
  "Sutherland Credit Union": ["824"],
  "Big Sky Building Society": ["825"],
  "Defence Bank": ["833"],
  "Split Payments": ["840"],
  "Unity Bank": ["882"],
  "China Construction Bank": ["888"],
  "DBS Bank": ["889"],
  "Australia Post": ["90"],
  "Sumitomo Mitsui Banking Corporation": ["911"],
  "State Street Bank": ["913"],
  "Arab Bank Australia": ["917"],
  "Mizuho Bank": ["918"],
  "United Overseas Bank": ["922"],
  ING: ["923", "936"],
  "Mega International Commercial Bank": ["931"],
  "Regional Australia Bank": ["932"],
  "AMP Bank": ["939"],
  "Delphi Bank": ["941"],
  "Bank of Sydney": ["942"],
  "Taiwan Business Bank": ["943"],
  "ME Bank": ["944"],
  UBS: ["946"],
  "Investec Bank": ["951"],
  "NatWest Markets": ["952"],
  "Tyro Payments": ["969"],
};

/** New Zealand banks by bank number. The numbers of old savings banks belong to the banks that acquired them. */
const NEW_ZEALAND: Readonly<Record<string, readonly string[]>> = {
  ANZ: ["01", "04", "06", "11", "25"],
  "Bank of New Zealand": ["02", "08"],
  Westpac: ["03", "13", "14", "16", "17", "18", "19", "20", "21", "22", "23", "27"],
  "China Construction Bank": ["05"],
  "Industrial and Commercial Bank of China": ["10"],
  ASB: ["12", "24"],
  TSB: ["15"],
  HSBC: ["30"],
  Citibank: ["31"],
  Kiwibank: ["38"],
  "Bank of China": ["88"],
};

const BY_BSB = byPrefix(AUSTRALIA);
const BY_BANK_NUMBER = byPrefix(NEW_ZEALAND);

export function australianBank(bsb: string): string {
  return BY_BSB.get(bsb.slice(0, 3)) ?? BY_BSB.get(bsb.slice(0, 2)) ?? UNKNOWN_BANK;
}

export function newZealandBank(accountDigits: string): string {
  return BY_BANK_NUMBER.get(accountDigits.slice(0, 2)) ?? UNKNOWN_BANK;
}

export function isBankName(name: string): boolean {
  return name === UNKNOWN_BANK || Object.hasOwn(AUSTRALIA, name) || Object.hasOwn(NEW_ZEALAND, name);
}

function byPrefix(table: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(table).flatMap(([name, prefixes]) => prefixes.map((prefix) => [prefix, name] as const)),
  );
}

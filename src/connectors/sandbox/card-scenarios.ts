import { APPROVALS, type ApprovalCode, DECLINES, type DeclineCode } from "../../kernel/codes/outcomes.ts";

/** What the sandbox acquirer does with an amount. Any amount that is not listed is approved. */
export type CardScenario =
  | { readonly does: "approve"; readonly code: ApprovalCode }
  | { readonly does: "decline"; readonly code: DeclineCode }
  | { readonly does: "declineFirst"; readonly code: DeclineCode }
  | { readonly does: "approveSlowly"; readonly seconds: number }
  | { readonly does: "approveAndDrop" }
  | { readonly does: "beAway" };

const FIRST = 14_400;

const isCardCode = (code: string) => code.startsWith("A020") || code.startsWith("D044");

/** 14400 and the last two digits of the code: 14451 is D04451. D04417 comes from 3D Secure, not from the acquirer. */
const BY_CODE = new Map<number, CardScenario>(
  [...Object.keys(APPROVALS), ...Object.keys(DECLINES)]
    .filter((code) => isCardCode(code) && code !== "D04417")
    .map((code) => [
      FIRST + Number(code.slice(-2)),
      code.startsWith("A")
        ? { does: "approve", code: code as ApprovalCode }
        : { does: "decline", code: code as DeclineCode },
    ]),
);

const SPECIAL: readonly (readonly [number, CardScenario])[] = [
  [14_419, { does: "declineFirst", code: "D04405" }],
  [14_480, { does: "approveSlowly", seconds: 8 }],
  [14_481, { does: "approveAndDrop" }],
  [14_482, { does: "beAway" }],
];

/** Every amount that means something, and what. The docs page of scenarios is made from this table. */
export const CARD_SCENARIOS: ReadonlyMap<number, CardScenario> = new Map([...BY_CODE, ...SPECIAL]);

export function cardScenario(amount: number): CardScenario {
  return CARD_SCENARIOS.get(amount) ?? { does: "approve", code: "A02000" };
}

/** 3D Secure by amount: fails, asks the payer, or (any other) is satisfied without asking. */
export const AUTHENTICATION_FAILS = 14_417;
export const AUTHENTICATION_ASKS = 14_418;

import type { DeclineName } from "../../kernel/codes/outcomes.ts";

/** What the sandbox's bank does with a debit when it settles. Any amount that is not listed is approved. */
export type DebitScenario =
  | { readonly does: "approve" }
  | { readonly does: "decline"; readonly code: DeclineName }
  | { readonly does: "approveAndReturn" };

/** Every amount with a scenario. The docs page of scenarios is generated from this table. */
export const DEBIT_SCENARIOS: ReadonlyMap<number, DebitScenario> = new Map<number, DebitScenario>([
  [11_000, { does: "decline", code: "declined" }],
  [11_001, { does: "decline", code: "target_account_invalid" }],
  [11_002, { does: "decline", code: "target_account_blocked" }],
  [11_003, { does: "decline", code: "target_account_name_mismatch" }],
  [11_005, { does: "approveAndReturn" }],
  [11_007, { does: "decline", code: "target_account_closed" }],
]);

export function debitScenario(amount: number): DebitScenario {
  return DEBIT_SCENARIOS.get(amount) ?? { does: "approve" };
}

/** A refund of this amount to a bank account is declined. */
export const CREDIT_DECLINED = 11_400;

import type { AuthenticationData } from "../ports/three-d-secure.ts";

/** What the sandbox bank does with an amount that requires 3D Secure. Any other is authenticated without a challenge. */
export type ThreeDSecureScenario =
  | { readonly does: "answer"; readonly status: AuthenticationData["status"] }
  | { readonly does: "challenge" }
  | { readonly does: "lookAtBrowser"; readonly seconds: number };

/** Every amount with a scenario. The docs page of scenarios is generated from this table. */
export const THREE_D_SECURE_SCENARIOS: ReadonlyMap<number, ThreeDSecureScenario> = new Map([
  [14_417, { does: "answer", status: "N" }],
  [14_418, { does: "challenge" }],
  [14_426, { does: "answer", status: "A" }],
  [14_427, { does: "answer", status: "U" }],
  [14_428, { does: "answer", status: "R" }],
  [14_429, { does: "lookAtBrowser", seconds: 9 }],
] as const);

export function threeDSecureScenario(amount: number): ThreeDSecureScenario {
  return THREE_D_SECURE_SCENARIOS.get(amount) ?? { does: "answer", status: "Y" };
}

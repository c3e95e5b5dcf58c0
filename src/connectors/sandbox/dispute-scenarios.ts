import type { SandboxDisputes } from "../ports/sandbox-controls.ts";

/** A card payment of this amount is approved, and disputed one settlement delay later. */
export const DISPUTED = 14_490;

/** This evidence wins a dispute; any other loses it, one settlement delay later. */
export const WINNING_EVIDENCE = "win";

/** Simulates payers who dispute payments, and their bank. */
export const SANDBOX_DISPUTES: SandboxDisputes = {
  reasonOf: (amount) => (amount === DISPUTED ? "fraudulent" : undefined),
  judge: (evidence) => (evidence === WINNING_EVIDENCE ? "win" : "lose"),
};

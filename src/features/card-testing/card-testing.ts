import { MINUTE } from "../../kernel/time.ts";
import type { CardTestingKind, CardTestingLimits } from "../merchants/index.ts";

/**
 * A counter of attempts that were not approved, by what an attacker can't change cheaply. It fades by `FADES_IN`, so that a
 * limit is about minutes. An attempt counts from its beginning: attempts that are made at once can't all be the first.
 */
export type Counter = {
  readonly kind: CardTestingKind;
  readonly risk: number;
  readonly approved: number;
};

export const FADES_IN = 10 * MINUTE;
export const APPROVALS_FADE_IN = 30 * MINUTE;

/** What is left of a count after so many milliseconds. */
export function leftOf(elapsed: number): number {
  return Math.exp(-Math.max(0, elapsed) / FADES_IN);
}

/** Counters fade while attempts are made; a limit of ten means the tenth all the same. */
export const ROUNDING = 0.5;

/** How the gateway answers, by how close the highest counter is to its limit. */
export const STEPS = ["none", "slow_down", "three_d_secure", "refuse"] as const;
export type Step = (typeof STEPS)[number];

/** Shares of a limit at which a step begins. With the lowest limit, three declines in a row are below the first. */
const SLOW_DOWN_FROM = 2 / 3;
const THREE_D_SECURE_FROM = 0.8;

/**
 * Except on one card, a limit counts only while this share of all attempts is not approved: many declines among many
 * approvals are a large merchant, or one address in front of many payers.
 */
export const SUSPICIOUS_SHARE = 0.4;

/**
 * From this share of its limit on, an address or a BIN is barred although most attempts are approved: an attacker could hide
 * behind the approvals of others, or buy them. Declines fade three times as fast as approvals, so a steady merchant of whose
 * payments a quarter is declined stays below the second share, however large it is.
 */
const CEILING_SHARE = 1.2;
export const LEAST_SHARE_AT_CEILING = 1 / 9;
export const CEILING_KINDS: readonly CardTestingKind[] = ["address", "bin"];

export function ceilingOf(kind: CardTestingKind, limit: number): number {
  return CEILING_KINDS.includes(kind) ? CEILING_SHARE * limit : Number.MAX_SAFE_INTEGER;
}

/**
 * Up to this share of a limit an attempt is not counted before it is made. It is below the first step, and low enough for
 * a limit to hold on several nodes. While most attempts are approved, the second share applies to what has a ceiling.
 */
export const UNCOUNTED_SHARE = 1 / 6;
export const UNCOUNTED_SHARE_BELOW_CEILING = 2 / 3;

/** How an attempt ended. */
export type Outcome = { readonly status: string; readonly code: string | null };

/** The bank or its network was away: the answer says nothing about the card, so an attacker learns nothing. */
const TECHNICAL: readonly string[] = [
  "downstream_error",
  "card_issuer_unavailable",
  "unable_to_route_transaction",
  "3d_secure_error",
];

/** Only a decline by the card's bank stays counted. */
export function isBankDecline({ status, code }: Outcome): boolean {
  return status === "declined" && !TECHNICAL.includes(code ?? "");
}

/** What one attempt adds. Trying security codes on a card is what its limit is about; the same code again is not. */
const KNOWN_CODE_WEIGHT = 0.1;

export function weightOf(kind: CardTestingKind, isNewCode: boolean): number {
  return kind === "card" && !isNewCode ? KNOWN_CODE_WEIGHT : 1;
}

/** In the sandbox, and where no account of the merchant authenticates payers, payments go on slowly up to the limit. */
export type Possible = { readonly threeDSecure: boolean };

/** The step for an attempt that has been counted. */
export function stepOf(counters: readonly Counter[], limits: CardTestingLimits, possible: Possible): Step {
  const shares = counters.filter(isSuspicious).map(({ kind, risk }) => risk / limits[kind]);
  const highest = Math.max(0, ...shares);
  if (highest > THREE_D_SECURE_FROM && possible.threeDSecure) return "three_d_secure";
  return highest > SLOW_DOWN_FROM ? "slow_down" : "none";
}

/** Few enough are approved for the limit itself to count. */
export function isSuspicious({ kind, risk, approved }: Counter): boolean {
  return kind === "card" || risk >= SUSPICIOUS_SHARE * (risk + approved);
}

/** Enough are declined for the ceiling to count. */
const isBurst = ({ risk, approved }: Counter) => risk >= LEAST_SHARE_AT_CEILING * (risk + approved);

/** Milliseconds until a counter that reached its limit, or its ceiling, is below it again. */
export function waitFor(counter: Counter, limits: CardTestingLimits): number {
  const { kind, risk } = counter;
  const most = isSuspicious(counter) ? limits[kind] : ceilingOf(kind, limits[kind]);
  return Math.max(1_000, Math.ceil(FADES_IN * Math.log(risk / (most - ROUNDING))));
}

/** Counters that this attempt brought over a threshold: each is worth one entry in the audit log. */
export function crossed(
  counters: readonly Counter[],
  counts: readonly { readonly kind: CardTestingKind; readonly weight: number; readonly limit: number }[],
  possible: Possible,
): readonly { readonly kind: CardTestingKind; readonly step: Step }[] {
  return counts.flatMap(({ kind, weight, limit }): { kind: CardTestingKind; step: Step }[] => {
    const counter = counters.find((one) => one.kind === kind);
    if (counter === undefined) return [];
    const { risk } = counter;
    const reached = (most: number) => risk - weight <= most - ROUNDING && risk > most - ROUNDING;
    if (reached(ceilingOf(kind, limit)) && isBurst(counter)) return [{ kind, step: "refuse" }];
    if (!isSuspicious(counter)) return [];
    if (reached(limit)) return [{ kind, step: "refuse" }];
    if (possible.threeDSecure && reached(THREE_D_SECURE_FROM * limit))
      return [{ kind, step: "three_d_secure" }];
    return reached(SLOW_DOWN_FROM * limit) ? [{ kind, step: "slow_down" }] : [];
  });
}

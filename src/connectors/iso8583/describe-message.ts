import type { IsoMessage } from "./dialect.ts";

/**
 * Fields whose value helps an operator and identifies no card and no payer. A list of what may be shown, because a host can
 * put anything into the rest.
 */
const SHOWN: readonly number[] = [3, 4, 7, 11, 12, 13, 32, 37, 38, 39, 41, 42, 49, 70, 90];

/** A message for logs: type, fields that may be shown, and the numbers of the others. */
export function describeMessage({ type, fields }: IsoMessage): string {
  const parts = Object.entries(fields).map(([field, value]) =>
    SHOWN.includes(Number(field)) ? `${field}=${value.trim()}` : field,
  );
  return [type, ...parts].join(" ");
}

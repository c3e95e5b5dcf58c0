import { type Instant, parseDateTime, writable } from "../../kernel/time.ts";

/** Moments as people type them into a form: `2026-11-15 20:31`, in the merchant's zone. */
export function wallTime(moment: number, zone: string): string {
  return shown(moment, zone).slice(0, 16);
}

/** The moment of such a text, with or without seconds, or of one with its own zone. Undefined: no time. */
export function momentOf(typed: string, zone: string): Instant | undefined {
  const text = typed.trim().replace(" ", "T");
  const asUtc = parseDateTime(`${text}Z`);
  if (asUtc === undefined) return parseDateTime(text);
  // The offset of a moment near by may be another one than its own: the clocks changed in between.
  const near = asUtc - offsetOf(asUtc, zone);
  return writable(asUtc - offsetOf(near, zone));
}

/** How far the zone's clocks are ahead of UTC at that moment. */
function offsetOf(moment: number, zone: string): number {
  return Date.parse(`${shown(moment, zone).replace(" ", "T")}Z`) - Math.floor(moment / 1_000) * 1_000;
}

/** 2026-11-15 20:31:22 */
function shown(moment: number, zone: string): string {
  return new Date(moment).toLocaleString("sv-SE", { timeZone: zone });
}

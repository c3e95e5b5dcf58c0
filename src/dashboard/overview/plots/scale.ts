/** An axis between two round numbers, with two to six lines. */
export type Scale = { readonly bottom: number; readonly top: number; readonly ticks: readonly number[] };

const STEPS = [1, 2, 2.5, 5, 10];

/** From zero to at or above the largest value. Every tick is a multiple of `least`: there is no half payment. */
export function scaleTo(largest: number, least: number): Scale {
  const rough = Math.max(largest, least * 4) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = STEPS.find((one) => one * power >= rough && Number.isInteger((one * power) / least)) ?? 10;
  const step = factor * power;
  const lines = Math.max(1, Math.ceil(largest / step));
  return { bottom: 0, top: lines * step, ticks: Array.from({ length: lines + 1 }, (_, at) => at * step) };
}

const PERCENT_STEPS = [1, 2, 5, 10, 20];

/** From a round percentage at or below the smallest share to 100%: the difference between 94% and 97% is visible. */
export function percentScale(shares: readonly number[]): Scale {
  const smallest = 100 * Math.min(1, ...shares);
  const step = PERCENT_STEPS.find((one) => 100 - one * Math.floor(smallest / one) <= 5 * one) ?? 20;
  const bottom = Math.max(0, Math.min(step * Math.floor(smallest / step), 100 - 2 * step));
  const lines = (100 - bottom) / step;
  return { bottom, top: 100, ticks: Array.from({ length: lines + 1 }, (_, at) => bottom + at * step) };
}

/** Which labels are drawn, so that they don't overlap; the last one always is. */
export function labelled(count: number, atMost: number): (at: number) => boolean {
  const every = Math.max(1, Math.ceil(count / atMost));
  return (at) => (count - 1 - at) % every === 0;
}

/** Rounds a coordinate to a tenth: short, and the same on every machine. */
export function place(value: number): number {
  return Math.round(value * 10) / 10;
}

/** An axis from nought to a round number that nothing exceeds, with as many lines as are easy to read. */
export type Scale = { readonly top: number; readonly ticks: readonly number[] };

const STEPS = [1, 2, 2.5, 5, 10];

/** `least` keeps the axis of small numbers whole: there is no half payment. */
export function scaleTo(largest: number, least: number): Scale {
  const rough = Math.max(largest, least * 4) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = STEPS.find((one) => one * power >= rough && Number.isInteger((one * power) / least)) ?? 10;
  const step = factor * power;
  const lines = Math.max(1, Math.ceil(largest / step));
  return { top: lines * step, ticks: Array.from({ length: lines + 1 }, (_, at) => at * step) };
}

/** Which of so many labels are written, so that they don't run into each other. */
export function labelled(count: number, atMost: number): (at: number) => boolean {
  const every = Math.max(1, Math.ceil(count / atMost));
  return (at) => (count - 1 - at) % every === 0;
}

/** Short enough for coordinates, and the same on every machine. */
export function place(value: number): number {
  return Math.round(value * 10) / 10;
}

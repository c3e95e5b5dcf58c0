/** Such as +12.5% from $1,100.00: how a value differs from the previous period's. */
export function changeText(value: number, before: number, text: (value: number) => string): string {
  if (before <= 0) return value === before ? "as before" : `from ${text(before)}`;
  const change = (100 * (value - before)) / before;
  return `${signed(change, "%")} from ${text(before)}`;
}

/** Such as −1.2 points from 96.0%. */
export function pointsText(share: number | undefined, before: number | undefined): string {
  if (before === undefined) return "no payment before";
  const was = `${(100 * before).toFixed(1)}%`;
  return share === undefined ? `from ${was}` : `${signed(100 * (share - before), " points")} from ${was}`;
}

/** A change that rounds to nothing has no sign. */
function signed(change: number, unit: string): string {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  const text = Math.abs(change).toLocaleString("en-AU", digits);
  const sign = text === "0.0" ? "" : change > 0 ? "+" : "−";
  return `${sign}${text}${unit}`;
}

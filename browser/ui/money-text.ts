/** $1,234.50 on pages for merchants; payers see amounts in their own language. */
export function moneyText(cents: number): string {
  const digits = String(Math.abs(cents));
  const padded = digits.length < 3 ? `00${digits}`.slice(-3) : digits;
  const dollars = padded.slice(0, -2).replace(/\B(?=(?:\d{3})+$)/g, ",");
  return `${cents < 0 ? "-" : ""}$${dollars}.${padded.slice(-2)}`;
}

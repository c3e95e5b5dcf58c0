/** The value of a JSON column that may be null. */
export function jsonValue(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

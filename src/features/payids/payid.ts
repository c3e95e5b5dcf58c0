/** A PayID as the payer types it into a bank's app. */
export function payIdEmail(value: string, domain: string): string {
  return `${value}@${domain}`;
}

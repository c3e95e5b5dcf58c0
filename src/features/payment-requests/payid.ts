/** The PayID as the payer types it in a bank's app. */
export function payIdEmail(value: string, domain: string): string {
  return `${value}@${domain}`;
}

/** The value of a typed PayID, in any case; undefined when it cannot belong to this gateway. */
export function payIdValue(typed: string, domain: string): string | undefined {
  const email = typed.trim().toLowerCase();
  const end = `@${domain.toLowerCase()}`;
  const value = email.endsWith(end) ? email.slice(0, -end.length) : "";
  return /^[a-z0-9._-]{1,64}$/.test(value) ? value : undefined;
}

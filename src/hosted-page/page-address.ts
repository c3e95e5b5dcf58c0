/** Where everything of one hosted page is, below the hosted origin. */
export type PageAddresses = {
  readonly page: string;
  readonly logo: string;
  /** Where a bank that took the whole window sends the payer back to. */
  readonly comeBack: string;
  readonly abandon: string;
  /** The page right after a payment: it may send the payer on to the merchant. */
  readonly after: string;
};

export function addressesOf(pageKey: string, failedAttempts: number): PageAddresses {
  const page = `/pay/${encodeURIComponent(pageKey)}`;
  return {
    page,
    logo: `${page}/logo`,
    comeBack: `${page}/return`,
    abandon: `${page}/abandon`,
    after: `${page}?after=${failedAttempts}`,
  };
}

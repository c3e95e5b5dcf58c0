/** What a payment was made with. */
export const SOURCES = ["card", "apple_pay", "google_pay", "direct_debit", "payid"] as const;
export type Source = (typeof SOURCES)[number];

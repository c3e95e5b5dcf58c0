/**
 * Whether and how the same card may be charged again: `never`, as it is; `later`, unchanged; `with_authentication`, by a
 * payer who is there.
 */
export const RETRY_ADVICE = ["never", "later", "with_authentication"] as const;
export type RetryAdvice = (typeof RETRY_ADVICE)[number];

/** What the acquirer said about a payment. Stored with the transaction. */
export type AcquirerFacts = {
  /** The acquirer's own id of the payment; later operations name it. */
  readonly acquirerReference?: string;
  /** The acquirer's own id of the payment that it has reversed: an approval under that id holds nothing. */
  readonly reversedReference?: string;
  readonly authorisationCode?: string;
  readonly retrievalReference?: string;
  /** The card scheme's id of the payment. */
  readonly networkTransactionId?: string;
  /** The acquirer's answer as it came. */
  readonly responseCode?: string;
  readonly securityCodeResult?: string;
  readonly addressResult?: string;
  /** Of a decline. */
  readonly retryAdvice?: RetryAdvice;
};

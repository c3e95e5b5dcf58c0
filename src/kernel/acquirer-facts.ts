/** What the acquirer said about a payment. Stored with the transaction. */
export type AcquirerFacts = {
  /** The acquirer's own id of the payment; later operations name it. */
  readonly acquirerReference?: string;
  readonly authorisationCode?: string;
  readonly retrievalReference?: string;
  /** The card scheme's id of the payment. */
  readonly networkTransactionId?: string;
  /** The acquirer's answer as it came. */
  readonly responseCode?: string;
  readonly securityCodeResult?: string;
  readonly addressResult?: string;
};

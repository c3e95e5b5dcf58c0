/** The card's billing address, as far as the payer was asked for it. A postcode may stand alone. */
export type PayerAddress = {
  readonly lines: readonly string[];
  readonly city?: string;
  /** A state or province, as the payer wrote it. */
  readonly state?: string;
  readonly postcode?: string;
  /** ISO 3166-1, two letters. */
  readonly country?: string;
};

/** What the gateway knows of the payer. It goes to the acquirer and is stored with no transaction. */
export type Payer = { readonly ip?: string; readonly email?: string; readonly address?: PayerAddress };

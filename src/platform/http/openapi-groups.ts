/** What each group of operations is about. */
export const GROUPS: Readonly<Record<string, string>> = {
  "Payment requests":
    "What a merchant asks to be paid: in the embedded checkout, on a hosted page, or to a PayID. One payment completes it.",
  "One-time tokens": "Let the script in the payer's page pay one payment request, once.",
  Transactions: "Attempts to move money: payments of a checkout, and charges of stored payment instruments.",
  Refunds: "Money that goes back to the payer, in full or in parts.",
  Disputes:
    "Payments that a cardholder contests at the bank: the money is held until the merchant wins, loses or accepts.",
  Payouts: "Settled money that was paid to the merchant, with the lines that it consists of.",
  Customers: "Payers that a merchant keeps a record of.",
  "Payment instruments": "Stored cards and bank accounts of a customer, for charges without the payer.",
  Webhooks: "Subscriptions to events, the key that signs them, and the credentials that they carry.",
  Events: "Every change of a resource, with its deliveries to the merchant's endpoints.",
  Account: "The merchant account: its capabilities, the pages that may embed the checkout, and surcharging.",
  "Apple Pay domains": "Domains on which the checkout offers Apple Pay.",
  Sandbox: "Helpers that move time and money in the sandbox; 404 in live mode.",
};

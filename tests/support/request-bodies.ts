/** The smallest body that creates a payment request for the embedded checkout. */
export const CHECKOUT = { payment: { amount: 3000 }, paymentMethods: ["card"], transactionRequest: {} };

/** A well-formed id of no existing payment request. */
export const NO_SUCH_ID = "pr_01k0000000000aaaaaaaaaaaaaaaa";

/** A PayID request; the caller passes a new value each time. */
export const payIdRequestBody = (value: string) => ({
  payment: { amount: 3000, instrument: { payId: { type: "single", value } } },
});

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export const HOSTED_PAGE = {
  payment: { amount: 3000 },
  hostedPaymentPage: { logo: `data:image/png;base64,${PIXEL}` },
};

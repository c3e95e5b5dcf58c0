/** Whom the sandbox's fake Apple knows. */
export const FAKE_MERCHANT_ID = "merchant.tidegate.sandbox";

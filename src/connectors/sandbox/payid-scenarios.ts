/** A PayID request of this amount is paid by itself after the settlement delay; every other waits for a transfer. */
export const PAID_BY_ITSELF = 12_000;

/** A refund of this amount to a payer's account is declined; every other is approved. */
export const REFUND_DECLINED = 11_400;

/** A PayID request of this amount is paid automatically after the settlement delay; any other waits for a transfer. */
export const PAID_AUTOMATICALLY = 12_000;

/** A refund of this amount to a payer's account is declined; any other is approved. */
export const REFUND_DECLINED = 11_400;

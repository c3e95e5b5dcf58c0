import type { Answer, Asked } from "./payment-module.ts";

/** `POST /bench/payments/{id}/pay`: authorises and captures. */
export const POST = async ({ scope, body }: Asked<{ session: string }>, answer: Answer): Promise<void> => {
  const payment = scope.resolve("payment");
  const { id } = await payment.authorizePaymentSession(body.session, {});
  await payment.capturePayment({ payment_id: id });
  answer.json({ id });
};

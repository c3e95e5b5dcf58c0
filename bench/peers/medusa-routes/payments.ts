import type { Answer, Asked } from "./payment-module.ts";

/** `POST /bench/payments`: a payment collection and its session, with Medusa's built-in provider. */
export const POST = async ({ scope, body }: Asked, answer: Answer): Promise<void> => {
  const payment = scope.resolve("payment");
  const { id } = await payment.createPaymentCollections(body);
  const session = { ...body, provider_id: "pp_system_default", data: {} };
  answer.json({ id, session: (await payment.createPaymentSession(id, session)).id });
};

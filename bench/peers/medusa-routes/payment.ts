import type { Answer, Asked } from "./payment-module.ts";

/** `GET /bench/payments/{id}`: the collection with its payments. */
export const GET = async ({ scope, params }: Asked, answer: Answer): Promise<void> => {
  const payment = scope.resolve("payment");
  answer.json(await payment.retrievePaymentCollection(params.id, { relations: ["payments"] }));
};

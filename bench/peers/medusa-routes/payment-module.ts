/** The part of Medusa that the routes of this folder use. They are copied into a Medusa project and run there. */
type PaymentModule = {
  createPaymentCollections: (input: Money) => Promise<{ id: string }>;
  createPaymentSession: (id: string, input: object) => Promise<{ id: string }>;
  authorizePaymentSession: (id: string, context: object) => Promise<{ id: string }>;
  capturePayment: (input: { payment_id: string }) => Promise<unknown>;
  retrievePaymentCollection: (id: string, config: { relations: string[] }) => Promise<object>;
};
type Money = { readonly amount: number; readonly currency_code: string };

export type Asked<Body = Money> = {
  readonly scope: { readonly resolve: (module: "payment") => PaymentModule };
  readonly params: { readonly id: string };
  readonly body: Body;
};
export type Answer = { readonly json: (body: object) => void };

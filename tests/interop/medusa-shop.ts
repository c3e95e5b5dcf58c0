import assert from "node:assert/strict";

/** What the seed script has written down. */
export type SeededShop = {
  readonly regions: Readonly<Record<string, string>>;
  readonly publishableKey: string;
  readonly secretKey: string;
  readonly variants: Readonly<Record<string, string>>;
};

export type Cart = { readonly id: string; readonly collectionId: string };

/** The `data` of a payment session, as a storefront reads it. */
export type Session = {
  readonly session_id: string;
  readonly payment_request_id: string;
  readonly hosted_url: string;
  readonly token: string | null;
  readonly payment_page_url: string | null;
  readonly transaction_id: string | null;
  readonly card: unknown;
};

type MedusaPayment = { readonly id: string; readonly amount: number; readonly data: Session };
type MedusaAnswer = {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
  readonly body: any;
};

/** A Medusa shop by its two APIs: the storefront's and the admin's. */
export type MedusaShop = {
  readonly newCart: (variant: string, currency?: string) => Promise<Cart>;
  readonly addItem: (cart: Cart, variant: string) => Promise<void>;
  readonly trySession: (cart: Cart, provider: string, data?: object) => Promise<MedusaAnswer>;
  readonly newSession: (cart: Cart, provider: string, data?: object) => Promise<Session>;
  readonly completeCart: (cart: Cart) => Promise<MedusaAnswer>;
  /** The order's id. */
  readonly placeOrder: (cart: Cart) => Promise<string>;
  /** The id of the order that was placed with this cart, if any. */
  readonly orderOf: (cart: Cart) => Promise<string | undefined>;
  readonly order: (id: string) => Promise<{
    readonly payment_status: string;
    readonly payments: readonly MedusaPayment[];
  }>;
  readonly capture: (paymentId: string) => Promise<MedusaAnswer>;
  readonly refund: (paymentId: string, amount: number) => Promise<MedusaAnswer>;
  readonly cancelOrder: (id: string) => Promise<MedusaAnswer>;
};

export function openMedusaShop(url: string, shop: SeededShop): MedusaShop {
  const call = async (headers: Readonly<Record<string, string>>, path: string, body?: object) => {
    const response = await fetch(url + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { ...headers, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() } as MedusaAnswer;
  };
  const secret = Buffer.from(`${shop.secretKey}:`).toString("base64");
  const store = (path: string, body?: object) =>
    call({ "x-publishable-api-key": shop.publishableKey }, `/store${path}`, body);
  const admin = (path: string, body?: object) =>
    call({ authorization: `Basic ${secret}` }, `/admin${path}`, body);
  const done = async (answer: Promise<MedusaAnswer>) => {
    const { status, body } = await answer;
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const trySession = ({ collectionId }: Cart, provider: string, data: object = {}) =>
    store(`/payment-collections/${collectionId}/payment-sessions`, { provider_id: provider, data });
  const sessions = async ({ id }: Cart) =>
    (await done(store(`/carts/${id}?fields=*payment_collection.payment_sessions`))).cart.payment_collection
      .payment_sessions;

  return {
    newCart: async (variant, currency = "aud") => {
      const items = [{ variant_id: shop.variants[variant], quantity: 1 }];
      const region_id = shop.regions[currency];
      const { cart } = await done(store("/carts", { region_id, items, email: "payer@example.com" }));
      const { payment_collection } = await done(store("/payment-collections", { cart_id: cart.id }));
      return { id: cart.id, collectionId: payment_collection.id };
    },
    addItem: async ({ id }, variant) => {
      await done(store(`/carts/${id}/line-items`, { variant_id: shop.variants[variant], quantity: 1 }));
    },
    trySession,
    newSession: async (cart, provider, data) => {
      await done(trySession(cart, provider, data));
      const all: readonly { readonly data: Session }[] = await sessions(cart);
      assert.equal(all.length, 1);
      return all[0]?.data ?? assert.fail("the cart has no session");
    },
    completeCart: ({ id }) => store(`/carts/${id}/complete`, {}),
    placeOrder: async ({ id }) => {
      const body = await done(store(`/carts/${id}/complete`, {}));
      assert.equal(body.type, "order", JSON.stringify(body.error));
      return body.order.id;
    },
    orderOf: async ({ id }) => {
      const { orders } = await done(admin("/orders?fields=id,cart.id&limit=100"));
      return orders.find((order: { cart?: { id: string } }) => order.cart?.id === id)?.id;
    },
    order: async (id) => {
      const { order } = await done(
        admin(`/orders/${id}?fields=id,payment_status,*payment_collections.payments`),
      );
      const payments = order.payment_collections.flatMap((one: { payments: unknown[] }) => one.payments);
      return { payment_status: order.payment_status, payments };
    },
    capture: (paymentId) => admin(`/payments/${paymentId}/capture`, {}),
    refund: (paymentId, amount) => admin(`/payments/${paymentId}/refund`, { amount }),
    cancelOrder: (id) => admin(`/orders/${id}/cancel`, {}),
  };
}

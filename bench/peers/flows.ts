import { CARD_NUMBER, cardNumberText } from "../load/number.ts";
import { PAY_BODY } from "../pays/sample.ts";
import { BENCH_KEY } from "../stage/gateway.ts";

/** What is measured: a payment to be made, a whole payment (created, paid, read), a read of a paid one. */
export type Work = "create" | "payment" | "read";

export type Ports = { readonly port: number; readonly hostedPort?: number };

/** Sends one request; throws unless the answer has status 200 and is JSON. */
export type Call = (
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
) => Promise<Answer>;
type Answer = Readonly<Record<string, unknown>>;

/** How one program does the works; left out: it does not do this one. */
export type Flow = {
  /** Returns the id to read. */
  readonly create?: (call: Call, ports: Ports) => Promise<string>;
  /** Ends with a read that shows the payment as paid, and returns its id. */
  readonly payment?: (call: Call, ports: Ports) => Promise<string>;
  readonly read: (call: Call, ports: Ports, id: string) => Promise<void>;
  /** An id for reads, where there is no payment. */
  readonly anyId?: string;
};

export type FlowName = "tidegate" | "emulate" | "stripe-stateful-mock" | "prism" | "medusa";

const JSON_TYPE = { "content-type": "application/json" };
const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded" };

const MERCHANT = { "x-api-key": BENCH_KEY };
const REQUEST = JSON.stringify({
  reference: "order-1001",
  payment: { amount: 3000, currencyCode: "AUD", description: "Two tickets" },
  paymentMethods: ["card"],
  transactionRequest: {},
});

const createRequest = async (call: Call, { port }: Ports) =>
  textOf(await call(port, "/paymentrequests", { ...MERCHANT, ...JSON_TYPE }, REQUEST), "id");

/** Each payer has a card of their own. */
let payers = 0;
const payBody = () => {
  payers += 1;
  return PAY_BODY.replace(CARD_NUMBER, cardNumberText(payers));
};

/** Five calls: request, token, the frame's start, the payment, the read. */
const tidegate: Flow = {
  create: createRequest,
  payment: async (call, ports) => {
    const { port, hostedPort = 0 } = ports;
    const id = await createRequest(call, ports);
    const wanted = JSON.stringify({ scope: "payui", paymentRequestId: id });
    const token = textOf(await call(port, "/tokens", { ...MERCHANT, ...JSON_TYPE }, wanted), "token");
    const opening = JSON.stringify({ token, parentOrigin: "https://shop.example", version: "1.0.0" });
    const session = textOf(await call(hostedPort, "/checkout/initialise", JSON_TYPE, opening), "session");
    const payer = { ...JSON_TYPE, "x-checkout-session": session };
    expect(await call(hostedPort, "/checkout/pay", payer, payBody()), "state", "approved");
    await tidegate.read(call, ports, id);
    return id;
  },
  read: async (call, { port }, id) => {
    const answer = await call(port, `/paymentrequests/${id}`, MERCHANT);
    expect(answer, "paymentRequestStatus", "completed");
  },
};

/** It refuses a key after 5,000 requests in an hour, so each key makes 1,000. */
let emulated = 0;
const emulateKey = () => {
  emulated += 1;
  return { authorization: `Bearer sk_test_${Math.floor(emulated / 1_000)}` };
};
const createIntent = async (call: Call, { port }: Ports) => {
  const body = "amount=3000&currency=aud&description=Two+tickets";
  return textOf(await call(port, "/v1/payment_intents", { ...emulateKey(), ...FORM_TYPE }, body), "id");
};
const emulate: Flow = {
  create: createIntent,
  payment: async (call, ports) => {
    const id = await createIntent(call, ports);
    const confirm = `/v1/payment_intents/${id}/confirm`;
    await call(ports.port, confirm, { ...emulateKey(), ...FORM_TYPE }, "payment_method=pm_card_visa");
    await emulate.read(call, ports, id);
    return id;
  },
  read: async (call, { port }, id) => {
    expect(await call(port, `/v1/payment_intents/${id}`, emulateKey()), "status", "succeeded");
  },
};

const BASIC = { authorization: `Basic ${Buffer.from("sk_test_bench:").toString("base64")}` };
/** It has charges, which are created and paid in one call. */
const statefulMock: Flow = {
  payment: async (call, ports) => {
    const body = "amount=3000&currency=aud&source=tok_visa&description=Two+tickets";
    const id = textOf(await call(ports.port, "/v1/charges", { ...BASIC, ...FORM_TYPE }, body), "id");
    await statefulMock.read(call, ports, id);
    return id;
  },
  read: async (call, { port }, id) => {
    expect(await call(port, `/v1/charges/${id}`, BASIC), "status", "succeeded");
  },
};

/** It answers with examples of the description, and keeps nothing. */
const prism: Flow = {
  create: createRequest,
  read: async (call, { port }, id) => {
    textOf(await call(port, `/paymentrequests/${id}`, MERCHANT), "paymentRequestStatus");
  },
  anyId: "pr_01jcz5k3x7",
};

const createCollection = async (call: Call, { port }: Ports) =>
  call(port, "/bench/payments", JSON_TYPE, '{"amount":30,"currency_code":"aud"}');
const medusa: Flow = {
  create: async (call, ports) => textOf(await createCollection(call, ports), "id"),
  payment: async (call, ports) => {
    const made = await createCollection(call, ports);
    const id = textOf(made, "id");
    const session = JSON.stringify({ session: textOf(made, "session") });
    await call(ports.port, `/bench/payments/${id}/pay`, JSON_TYPE, session);
    await medusa.read(call, ports, id);
    return id;
  },
  read: async (call, { port }, id) => {
    expect(await call(port, `/bench/payments/${id}`, {}), "status", "completed");
  },
};

export const FLOWS: Readonly<Record<FlowName, Flow>> = {
  tidegate,
  emulate,
  "stripe-stateful-mock": statefulMock,
  prism,
  medusa,
};

function textOf(answer: Answer, field: string): string {
  const value = answer[field];
  if (typeof value !== "string") throw new Error(`the answer has no ${field}`);
  return value;
}

function expect(answer: Answer, field: string, value: string): void {
  if (answer[field] !== value) throw new Error(`${field} is ${String(answer[field])}, not ${value}`);
}

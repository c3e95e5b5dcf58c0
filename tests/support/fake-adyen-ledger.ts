import {
  FAKE_AMOUNTS,
  FAKE_RESULTS,
  type FakeAnswer,
  type Json,
  newPsp,
  rejected,
} from "./fake-adyen-answers.ts";
import type { FakeItem } from "./fake-adyen-notification.ts";

type FakePayment = {
  readonly psp: string;
  readonly reference: string;
  readonly amount: number;
  /** 0 until it is authorised, and after it was cancelled. */
  held: number;
  captured: number;
  refunded: number;
  isWaiting: boolean;
};

type Kind = "captures" | "refunds" | "cancels" | "reversals";

const EVENT_OF: Readonly<Record<Kind, string>> = {
  captures: "CAPTURE",
  refunds: "REFUND",
  cancels: "CANCELLATION",
  reversals: "CANCEL_OR_REFUND",
};

export type FakeAdyenLedger = {
  readonly pay: (body: Json) => FakeAnswer;
  readonly operate: (psp: string, kind: string, body: Json) => FakeAnswer;
  readonly cancelByReference: (body: Json) => FakeAnswer;
  /** With `part`: only so much is authorised. */
  readonly conclude: (reference: string, isSuccess: boolean, part?: number) => void;
  readonly fail: (operationReference: string) => void;
  readonly of: (reference: string) => {
    readonly held: number;
    readonly captured: number;
    readonly refunded: number;
  };
};

/** Payments and operations of the fake. Each outcome goes to `notify`. */
export function createFakeLedger(merchantAccount: string, notify: (item: FakeItem) => void): FakeAdyenLedger {
  const payments: FakePayment[] = [];
  const operations = new Map<string, { payment: FakePayment; kind: Kind; psp: string; amount: number }>();

  const notifyAuthorisation = ({ psp, reference, amount, held }: FakePayment, refusal?: string) => {
    const part = held < amount ? { authorisedAmountValue: String(held) } : {};
    const approval = { authCode: "058747", networkTxReference: "MCC123456789012", ...part };
    notify({
      eventCode: "AUTHORISATION",
      reference,
      psp,
      amount,
      isSuccess: refusal === undefined,
      ...(refusal === undefined ? { additionalData: approval } : { reason: refusal }),
    });
  };

  function pay(body: Json): FakeAnswer {
    const amount = body["amount"] as { value: number; currency: string };
    const { number } = body["paymentMethod"] as { number: string };
    // Adyen does not quote numbers; a connector must not rely on that.
    if (!isLuhn(number)) return rejected(422, "101", `Invalid card number ${number}`);
    const { partial } = FAKE_AMOUNTS;
    const { value: surcharge = 0 } = (body["surcharge"] ?? {}) as { value?: number };
    const isPart = amount.value - surcharge === partial.amount;
    const result = FAKE_RESULTS[amount.value - surcharge];
    const resultCode = result?.["resultCode"];
    const held = result !== undefined ? 0 : isPart ? partial.approved : amount.value;
    const payment: FakePayment = {
      psp: newPsp(),
      reference: String(body["reference"]),
      amount: amount.value,
      held,
      captured: body["captureDelayHours"] === 0 ? held : 0,
      refunded: 0,
      isWaiting: resultCode === "Received" || resultCode === "Pending",
    };
    payments.push(payment);
    const common = { pspReference: payment.psp, merchantReference: payment.reference };
    if (result !== undefined) {
      if (!payment.isWaiting && result["action"] === undefined)
        notifyAuthorisation(payment, String(result["refusalReason"] ?? resultCode));
      return { status: 200, body: { ...common, ...result } };
    }
    notifyAuthorisation(payment);
    const part = { authorisedAmountValue: String(held), authorisedAmountCurrency: amount.currency };
    const additionalData = {
      authCode: "058747",
      cvcResult: "1 Matches",
      avsResult: "4 AVS not supported for this card type",
      networkTxReference: "MCC123456789012",
      ...(isPart ? part : {}),
    };
    const result200 = isPart ? "PartiallyAuthorised" : "Authorised";
    return {
      status: 200,
      body: { ...common, resultCode: result200, amount: { ...amount, value: held }, additionalData },
    };
  }

  function operate(psp: string, kind: string, body: Json): FakeAnswer {
    const payment = payments.find((one) => one.psp === psp);
    if (payment === undefined || !isKind(kind))
      return rejected(422, "167", "Original pspReference required for this operation");
    const own = { psp: newPsp(), amount: (body["amount"] as { value?: number })?.value ?? payment.held };
    const reference = String(body["reference"]);
    const problem = change(payment, kind, own.amount);
    operations.set(reference, { payment, kind, ...own });
    notify({ eventCode: EVENT_OF[kind], reference, original: psp, ...own, ...outcomeOf(problem) });
    const { amount } = body;
    const received = { merchantAccount, paymentPspReference: psp, pspReference: own.psp, reference };
    return { status: 201, body: { ...received, ...(amount ? { amount } : {}), status: "received" } };
  }

  function cancelByReference(body: Json): FakeAnswer {
    const [reference, paymentReference] = [String(body["reference"]), String(body["paymentReference"])];
    const payment = payments.find((one) => one.reference === paymentReference);
    const problem = payment === undefined ? "Payment not found" : change(payment, "cancels", 0);
    const psp = newPsp();
    const original = payment === undefined ? {} : { original: payment.psp, amount: payment.amount };
    notify({ eventCode: "TECHNICAL_CANCEL", reference, psp, ...original, ...outcomeOf(problem) });
    const received = { merchantAccount, paymentReference, reference, pspReference: psp };
    return { status: 201, body: { ...received, status: "received" } };
  }

  return {
    pay,
    operate,
    cancelByReference,
    conclude: (reference, isSuccess, part) => {
      const payment = payments.find((one) => one.reference === reference && one.isWaiting);
      if (payment === undefined) throw new Error(`no payment waits under ${reference}`);
      payment.isWaiting = false;
      payment.held = isSuccess ? (part ?? payment.amount) : 0;
      notifyAuthorisation(payment, isSuccess ? undefined : "Not enough balance");
    },
    fail: (reference) => {
      const operation = operations.get(reference);
      if (operation === undefined) throw new Error(`no operation has the reference ${reference}`);
      const { payment, kind, psp, amount } = operation;
      if (kind === "captures") payment.captured -= amount;
      else payment.refunded -= amount;
      const eventCode = kind === "captures" ? "CAPTURE_FAILED" : "REFUND_FAILED";
      notify({ eventCode, reference, psp, original: payment.psp, amount, reason: "Rejected by the scheme" });
    },
    of: (reference) => {
      const own = payments.filter((one) => one.reference === reference);
      const sum = (name: "held" | "captured" | "refunded") =>
        own.reduce((total, one) => total + one[name], 0);
      return { held: sum("held"), captured: sum("captured"), refunded: sum("refunded") };
    },
  };
}

function isKind(text: string): text is Kind {
  return Object.hasOwn(EVENT_OF, text);
}

function outcomeOf(problem: string | undefined): Pick<FakeItem, "isSuccess" | "reason"> {
  return problem === undefined ? { isSuccess: true } : { isSuccess: false, reason: problem };
}

/** Changes the payment, or says why not. */
function change(payment: FakePayment, kind: Kind, amount: number): string | undefined {
  const { held, captured, refunded } = payment;
  switch (kind) {
    case "captures":
      if (amount > held - captured) return "Insufficient balance on payment";
      payment.captured += amount;
      return undefined;
    case "refunds":
      if (amount > captured - refunded) return "Transaction hasn't been captured, refund not possible";
      payment.refunded += amount;
      return undefined;
    case "cancels":
      if (held === 0 || captured > 0) return "Transaction not in Authorised state";
      payment.held = 0;
      return undefined;
    case "reversals":
      if (held === 0 || (captured > 0 && refunded === captured)) return "Nothing to cancel or refund";
      if (captured === 0) payment.held = 0;
      else payment.refunded = captured;
      return undefined;
  }
}

function isLuhn(number: string): boolean {
  const digits = Array.from(number, Number).reverse();
  const doubled = digits.map((digit, index) => (index % 2 === 0 ? digit : digit * 2));
  return doubled.reduce((total, value) => total + (value > 9 ? value - 9 : value), 0) % 10 === 0;
}

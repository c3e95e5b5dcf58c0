import type { Call } from "../call.ts";
import type {
  CaptureTransactionBody,
  CreateTransactionBody,
  Operations,
  Transaction,
} from "../generated/api.ts";
import type { CallOptions } from "../options.ts";
import { eachOf, type FiltersOf } from "../pages.ts";
import type { Proof } from "../recover.ts";
import { created } from "../shown.ts";

type Query = Operations["listTransactions"]["query"];
type RefundQuery = Operations["listRefunds"]["query"];
type RefundBody = Operations["createRefund"]["body"];

/** After a decline the authorisation is as it was. It is captured once, so its amount tells captures apart. */
function capturedAs(transactionId: string, amount: number | undefined): Proof<"captureTransaction"> {
  return {
    isGiven: ({ id, captureStatus, payment }) => {
      const { approvedAmount, totalAmount, capturedAmount } = payment;
      const isAmount = capturedAmount === (amount ?? approvedAmount ?? totalAmount);
      return id === transactionId && captureStatus === "captured" && isAmount;
    },
    otherwise: maybeDeclined("capture"),
  };
}

function voided(transactionId: string): Proof<"cancelTransaction"> {
  return {
    isGiven: ({ id, captureStatus }) => id === transactionId && captureStatus === "voided",
    otherwise: maybeDeclined("void"),
  };
}

function maybeDeclined(operation: string): string {
  return `The transaction does not show this ${operation}, so the acquirer declined it, unless you used the key for something else: read the transaction, and call again with a new key if its captureStatus is uncaptured`;
}

export function transactionsOf(call: Call) {
  const read = { reads: "getTransaction" } as const;
  return {
    /** Charges a stored card, or debits a stored bank account. A decline is an answer: see `result.status`. */
    create: (body: CreateTransactionBody, options?: CallOptions) => {
      const recovery = { ...read, proof: created<"createTransaction">("transaction", body) };
      return call("createTransaction", { body, recovery }, options);
    },
    /** A transaction by its id. A refund has `refunds.get`. */
    get: async (transactionId: string, options?: CallOptions) =>
      (await call(
        "getTransaction",
        { params: { transactionOrRefundId: transactionId } },
        options,
      )) as Transaction,
    list: (query?: Query, options?: CallOptions) => call("listTransactions", { query }, options),
    listAll: (filters?: FiltersOf<"listTransactions">, options?: CallOptions) =>
      eachOf(call, "listTransactions", { filters }, options),
    /** All rows of the list, as CSV. */
    export: (filters?: Operations["exportTransactions"]["query"], options?: CallOptions) =>
      call("exportTransactions", { query: filters }, options),
    /**
     * Captures all or part of an authorisation, once. A decline is an answer: see `result.status`. If that answer is lost,
     * it is the error `V10018`.
     */
    capture: (transactionId: string, body?: CaptureTransactionBody, options?: CallOptions) => {
      const recovery = { ...read, proof: capturedAs(transactionId, body?.payment?.amount) };
      return call("captureTransaction", { params: { transactionId }, body, recovery }, options);
    },
    /** Voids an authorisation that was not captured. A decline is reported as that of a capture. */
    cancel: (transactionId: string, options?: CallOptions) => {
      const recovery = { ...read, proof: voided(transactionId) };
      return call("cancelTransaction", { params: { transactionId }, recovery }, options);
    },
    /** Refunds the remaining amount, or a part. Returns `pending`; a webhook reports the outcome. */
    refund: (transactionId: string, body?: RefundBody, options?: CallOptions) => {
      const recovery = { reads: "getRefund", proof: created<"createRefund">("refund", body) } as const;
      return call("createRefund", { params: { transactionId }, body, recovery }, options);
    },
    refunds: {
      get: (transactionId: string, refundId: string, options?: CallOptions) =>
        call("getRefund", { params: { transactionId, refundId } }, options),
      list: (transactionId: string, query?: RefundQuery, options?: CallOptions) =>
        call("listRefunds", { params: { transactionId }, query }, options),
      listAll: (transactionId: string, filters?: FiltersOf<"listRefunds">, options?: CallOptions) =>
        eachOf(call, "listRefunds", { params: { transactionId }, filters }, options),
    },
  };
}

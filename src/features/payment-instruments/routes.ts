import { refuse } from "../../kernel/refusal.ts";
import { cutPage, listAnswer, listQuery, pageOf } from "../../platform/http/lists.ts";
import { METADATA_FILTER } from "../../platform/http/metadata.ts";
import type { Route } from "../../platform/http/route.ts";
import { findCustomer } from "../customers/index.ts";
import { type Caller, merchantRoute, ok, RESULT_OK } from "../merchants/index.ts";
import { addBankAccount } from "./add-bank-account.ts";
import { bankAccountProblems } from "./bank-account.ts";
import { changeInstrument, findChangeProblems } from "./change-instrument.ts";
import { deleteInstrument } from "./delete-instrument.ts";
import { newPairProblems } from "./metadata-rules.ts";
import { presentInstrument } from "./present.ts";
import { findInstrument, listInstruments } from "./queries.ts";
import { BankAccountBody, DeletedAnswer, InstrumentChangeBody, PaymentInstrumentAnswer } from "./wire.ts";

const GROUP = "Payment instruments";
const ALL = "/customers/{customerId}/paymentinstruments";
const ONE = `${ALL}/{paymentInstrumentId}` as const;

export const paymentInstrumentRoutes: readonly Route<Caller>[] = [
  merchantRoute({
    method: "POST",
    path: ALL,
    name: "createPaymentInstrument",
    group: GROUP,
    summary: "Store a bank account",
    about:
      "An Australian account has a `bsb`, one in New Zealand has none. Cards are stored by a checkout, never by this call.",
    scope: "write",
    body: BankAccountBody,
    rules: ({ bankAccount, metadata }, { sound }) => [
      ...bankAccountProblems(bankAccount, sound),
      ...newPairProblems(bankAccount, metadata, sound),
    ],
    answer: PaymentInstrumentAnswer,
    refusals: ["metadata_bank_name_read_only"],
    example: {
      reference: "membership",
      bankAccount: { accountName: "Jamie Lee", bsb: "062000", number: "12345678" },
    },
    run: async (ctx, { caller, params, body }) =>
      presentInstrument(await addBankAccount(ctx, caller, params.customerId, body), caller.mode),
  }),
  merchantRoute({
    method: "GET",
    path: ALL,
    name: "listPaymentInstruments",
    group: GROUP,
    summary: "List the payment instruments of a customer",
    about: "Newest first, without deleted ones. Numbers are masked.",
    scope: "read",
    query: listQuery("paymentInstrument", METADATA_FILTER),
    answer: listAnswer("paymentInstruments", PaymentInstrumentAnswer, RESULT_OK),
    run: async (ctx, { caller, params, query }) => {
      const page = pageOf("paymentInstrument", query);
      const { customerId } = params;
      if (!(await findCustomer(ctx.db, caller.merchantId, customerId))) refuse("resource_not_found");
      const rows = await listInstruments(ctx.reads, caller.merchantId, page, {
        customerId,
        metadata: query.metadata,
      });
      const { shown, nextCursor } = cutPage(rows, page);
      const paymentInstruments = shown.map((one) => presentInstrument(one, caller.mode));
      return { count: shown.length, paymentInstruments, nextCursor, result: ok(caller.mode) };
    },
  }),
  merchantRoute({
    method: "GET",
    path: ONE,
    name: "getPaymentInstrument",
    group: GROUP,
    summary: "Read a payment instrument",
    about: "Numbers are masked. A deleted one is 404.",
    scope: "read",
    answer: PaymentInstrumentAnswer,
    run: async (ctx, { caller, params }) => {
      const { customerId, paymentInstrumentId } = params;
      const instrument = await findInstrument(ctx.db, caller.merchantId, customerId, paymentInstrumentId);
      return presentInstrument(instrument ?? refuse("resource_not_found"), caller.mode);
    },
  }),
  merchantRoute({
    method: "PUT",
    path: ONE,
    name: "changePaymentInstrument",
    group: GROUP,
    summary: "Change a payment instrument",
    about:
      "Takes any subset of the fields of its type; `metadata` replaces all of your pairs. A number never changes: store another instrument instead.",
    scope: "write",
    body: InstrumentChangeBody,
    lookUp: (change, { caller, ctx, params, sound }) =>
      findChangeProblems(ctx, caller, params, { change, sound }),
    answer: PaymentInstrumentAnswer,
    refusals: ["payment_instrument_type_mismatch", "metadata_bank_name_read_only"],
    example: { bankAccount: { accountName: "Jamie Lee-Park" } },
    run: async (ctx, { caller, params, body }) =>
      presentInstrument(await changeInstrument(ctx, caller, params, body), caller.mode),
  }),
  merchantRoute({
    method: "DELETE",
    path: ONE,
    name: "deletePaymentInstrument",
    group: GROUP,
    summary: "Delete a payment instrument",
    about: "Erases its number at once. Past transactions stay readable.",
    scope: "write",
    answer: DeletedAnswer,
    run: async (ctx, { caller, params }) => {
      await deleteInstrument(ctx, caller, params);
      return { id: params.paymentInstrumentId, result: ok(caller.mode) };
    },
  }),
];

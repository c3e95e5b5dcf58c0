import assert from "node:assert/strict";
import fc from "fast-check";
import { callApi, getRequest, getTransaction, ok, openFrameOn } from "../../support/checkout.ts";
import { AU_ACCOUNT } from "../../support/debits.ts";
import { eventually } from "../../support/eventually.ts";
import { chargeOf } from "../../support/stored-cards.ts";
import { listCommand } from "./list-commands.ts";
import { count, type Model, outcomeOf, refundable } from "./model.ts";
import { type Real, write } from "./real.ts";

export type Command = fc.AsyncCommand<Model, Real>;

function command(
  name: string,
  check: (model: Readonly<Model>) => boolean,
  run: (model: Model, real: Real) => Promise<void>,
): Command {
  return { check, run, toString: () => name };
}

/** One of the entries, by a number that stays the same when the sequence is repeated. */
function pick<Value>(entries: ReadonlyMap<string, Value>, at: number): readonly [string, Value] {
  const all = [...entries];
  return all[at % all.length] ?? assert.fail("nothing to pick from");
}

const at = fc.nat({ max: 1_000 });
const reference = fc.constantFrom("a", "b", "c");
const tag = fc.constantFrom(undefined, "x", "y");
/** Most calls go through; in one of 25 the gateway dies a few milliseconds after the call began. */
const crashAfter = fc.oneof(
  { weight: 24, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom(1, 4, 9, 20) },
);
const metadataOf = (value: string | undefined) => (value === undefined ? {} : { metadata: { tag: value } });

const createCustomer = fc.record({ reference, tag, crashAfter }).map((input) =>
  command(
    `create customer ${JSON.stringify(input)}`,
    () => true,
    async (model, real) => {
      const body = {
        name: "Ann",
        email: "ann@example.com",
        reference: input.reference,
        ...metadataOf(input.tag),
      };
      const done = await write(model, real, {
        method: "POST",
        path: "/customers",
        body,
        crashAfter: input.crashAfter,
      });
      const id = "id" in done ? done.id : (ok(done.answer).id as string);
      const { createdDateTime } = ok(await callApi(real.shop(), "GET", `/customers/${id}`));
      model.customers.set(id, {
        name: "Ann",
        reference: input.reference,
        metadata: input.tag,
        created: createdDateTime,
      });
    },
  ),
);

const changeCustomer = fc.record({ at, reference, crashAfter }).map((input) =>
  command(
    `change customer ${JSON.stringify(input)}`,
    ({ customers }) => customers.size > 0,
    async (model, real) => {
      const [id, customer] = pick(model.customers, input.at);
      const path = `/customers/${id}`;
      const body = { reference: input.reference };
      const done = await write(model, real, { method: "PUT", path, body, crashAfter: input.crashAfter });
      if ("answer" in done) ok(done.answer);
      model.customers.set(id, { ...customer, reference: input.reference });
      assert.equal(ok(await callApi(real.shop(), "GET", path)).reference, input.reference);
    },
  ),
);

const addAccount = fc.record({ at, crashAfter }).map((input) =>
  command(
    `add account ${JSON.stringify(input)}`,
    ({ customers }) => customers.size > 0,
    async (model, real) => {
      const [customerId] = pick(model.customers, input.at);
      const path = `/customers/${customerId}/paymentinstruments`;
      const body = { bankAccount: AU_ACCOUNT };
      const done = await write(model, real, { method: "POST", path, body, crashAfter: input.crashAfter });
      const id = "id" in done ? done.id : (ok(done.answer).id as string);
      model.instruments.set(id, { customerId, type: "bank_account" });
    },
  ),
);

const deleteInstrument = fc.record({ at, crashAfter }).map((input) =>
  command(
    `delete instrument ${JSON.stringify(input)}`,
    ({ instruments }) => instruments.size > 0,
    async (model, real) => {
      const [id, { customerId }] = pick(model.instruments, input.at);
      const path = `/customers/${customerId}/paymentinstruments/${id}`;
      const done = await write(model, real, { method: "DELETE", path, crashAfter: input.crashAfter });
      if ("answer" in done) ok(done.answer);
      model.instruments.delete(id);
      assert.equal((await callApi(real.shop(), "GET", path)).status, 404);
      const charged = await callApi(
        real.shop(),
        "POST",
        "/transactions",
        chargeOf({ id: customerId, paymentInstrumentId: id }),
      );
      assert.equal(charged.status, 400, "a deleted instrument cannot be charged");
    },
  ),
);

const amounts = fc.constantFrom(3000, 5000, 14_451, 14_405, 100);

const createRequest = fc
  .record({ amount: amounts, isManual: fc.boolean(), reference, tag, crashAfter })
  .map((input) =>
    command(
      `create request ${JSON.stringify(input)}`,
      () => true,
      async (model, real) => {
        const { amount, isManual } = input;
        const body = {
          reference: input.reference,
          payment: { amount },
          paymentMethods: ["card"],
          transactionRequest: { category: { captureType: isManual ? "manual" : "auto" } },
          ...metadataOf(input.tag),
        };
        const path = "/paymentrequests";
        const done = await write(model, real, { method: "POST", path, body, crashAfter: input.crashAfter });
        const id = "id" in done ? done.id : (ok(done.answer).id as string);
        const { createdDateTime: created, paymentRequestStatus } = await getRequest(real.shop(), id);
        assert.equal(paymentRequestStatus, "created");
        model.requests.set(id, {
          amount,
          isManual,
          reference: input.reference,
          metadata: input.tag,
          status: "created",
          created,
        });
      },
    ),
  );

const cancelRequest = fc.record({ at, crashAfter }).map((input) =>
  command(
    `cancel request ${JSON.stringify(input)}`,
    ({ requests }) => requests.size > 0,
    async (model, real) => {
      const [id, request] = pick(model.requests, input.at);
      const path = `/paymentrequests/${id}/cancel`;
      const done = await write(model, real, { method: "POST", path, crashAfter: input.crashAfter });
      const isAllowed = request.status === "created";
      if ("answer" in done) assert.equal(done.answer.status, isAllowed ? 200 : 409);
      else assert.ok(isAllowed, "a refused cancellation left its key used");
      if (isAllowed) model.requests.set(id, { ...request, status: "cancelled" });
      assert.equal((await getRequest(real.shop(), id)).paymentRequestStatus, model.requests.get(id)?.status);
    },
  ),
);

const pay = fc.record({ at, crashAfter }).map((input) =>
  command(
    `pay ${JSON.stringify(input)}`,
    ({ requests }) => [...requests.values()].some(({ status }) => status === "created"),
    async (model, real) => {
      const open = new Map([...model.requests].filter(([, { status }]) => status === "created"));
      const [id, request] = pick(open, input.at);
      const frame = await openFrameOn(real.shop(), id);
      count(model, "calls");
      const paying = frame.pay().catch((error: unknown) => {
        if (input.crashAfter === undefined) throw error;
        return undefined;
      });
      if (input.crashAfter !== undefined) {
        await new Promise((resolve) => setTimeout(resolve, input.crashAfter));
        await real.crash();
        count(model, "crashes");
        await real.database.rows("update jobs set due_at = due_at - interval '60 seconds'");
      }
      const answer = await paying;
      // Only a killed gateway may leave a payer without an outcome.
      if (input.crashAfter === undefined) assert.equal(answer?.status, 200, JSON.stringify(answer?.body));
      const outcome = await eventually(
        "the payment is settled",
        async () => {
          const path = `/transactions?paymentrequestid=${id}`;
          const { transactions } = ok(await callApi(real.shop(), "GET", path));
          if (transactions.length === 0) return answer?.status === 200 ? undefined : ("unpaid" as const);
          assert.equal(transactions.length, 1);
          return transactions[0].result.status === "pending" ? undefined : transactions[0];
        },
        40_000,
      );
      // The gateway was killed before it recorded the attempt: the payer pays again.
      if (outcome === "unpaid") return;
      if (answer?.status === 200 && answer.body.state !== "pending")
        assert.equal(answer.body.state, outcome.result.status);
      // An attempt that did not reach the acquirer is declined.
      if (input.crashAfter === undefined || outcome.result.status === "approved")
        assert.equal(outcome.result.status, outcomeOf(request.amount));
      const isApproved = outcome.result.status === "approved";
      model.requests.set(id, { ...request, status: "completed" });
      model.transactions.set(outcome.id, {
        requestId: id,
        amount: request.amount,
        reference: request.reference,
        metadata: request.metadata,
        created: outcome.createdDateTime,
        status: isApproved ? "approved" : "declined",
        captureStatus: isApproved ? (request.isManual ? "uncaptured" : "captured") : undefined,
        captured: isApproved && !request.isManual ? request.amount : 0,
        refunded: 0,
      });
      assert.equal((await getRequest(real.shop(), id)).paymentRequestStatus, "completed");
    },
  ),
);

const debit = fc.record({ at, reference, crashAfter }).map((input) =>
  command(
    `debit ${JSON.stringify(input)}`,
    ({ instruments }) => instruments.size > 0,
    async (model, real) => {
      const [paymentInstrumentId, { customerId }] = pick(model.instruments, input.at);
      const body = chargeOf(
        { id: customerId, paymentInstrumentId },
        { amount: 700, reference: input.reference },
      );
      const path = "/transactions";
      const done = await write(model, real, { method: "POST", path, body, crashAfter: input.crashAfter });
      const id = "id" in done ? done.id : (ok(done.answer).id as string);
      const { createdDateTime: created } = await getTransaction(real.shop(), id);
      const facts = { customerId, amount: 700, reference: input.reference, created };
      model.transactions.set(id, { ...facts, status: "any", captured: 0, refunded: 0 });
    },
  ),
);

const captureOrVoid = fc
  .record({
    at,
    verb: fc.constantFrom("capture", "cancel"),
    less: fc.integer({ min: -1, max: 50 }),
    crashAfter,
  })
  .map((input) =>
    command(
      `${input.verb} ${JSON.stringify(input)}`,
      ({ transactions }) => transactions.size > 0,
      async (model, real) => {
        const [id, transaction] = pick(model.transactions, input.at);
        const amount = transaction.amount - input.less;
        const body = input.verb === "capture" ? { payment: { amount } } : undefined;
        const path = `/transactions/${id}/${input.verb}`;
        const done = await write(model, real, { method: "POST", path, body, crashAfter: input.crashAfter });
        const isAllowed =
          transaction.captureStatus === "uncaptured" &&
          (input.verb === "cancel" || amount <= transaction.amount);
        if ("answer" in done)
          assert.equal(done.answer.status, isAllowed ? 200 : 409, JSON.stringify(done.answer.body));
        else assert.ok(isAllowed, "a refused operation left its key used");
        if (!isAllowed) return;
        const after =
          input.verb === "capture"
            ? ({ ...transaction, captureStatus: "captured", captured: amount } as const)
            : ({ ...transaction, captureStatus: "voided" } as const);
        model.transactions.set(id, after);
        const read = await getTransaction(real.shop(), id);
        assert.deepEqual(
          [read.captureStatus, read.payment.capturedAmount],
          [after.captureStatus, after.captured],
        );
      },
    ),
  );

const refund = fc
  .record({ at, amount: fc.constantFrom(1, 60, 2_990, 5_000), reference, crashAfter })
  .map((input) =>
    command(
      `refund ${JSON.stringify(input)}`,
      ({ transactions }) => [...transactions.values()].some(({ status }) => status !== "any"),
      async (model, real) => {
        const decided = new Map([...model.transactions].filter(([, { status }]) => status !== "any"));
        const [transactionId, transaction] = pick(decided, input.at);
        const path = `/transactions/${transactionId}/refunds`;
        const body = { reference: input.reference, payment: { amount: input.amount } };
        const done = await write(model, real, { method: "POST", path, body, crashAfter: input.crashAfter });
        const isAllowed = input.amount <= refundable(transaction);
        if ("answer" in done)
          assert.equal(done.answer.status, isAllowed ? 200 : 409, JSON.stringify(done.answer.body));
        else assert.ok(isAllowed, "a refused refund left its key used");
        if (!isAllowed) return;
        const id = "id" in done ? done.id : (done.answer.body.id as string);
        const { createdDateTime: created, payment } = ok(await callApi(real.shop(), "GET", `/refunds/${id}`));
        assert.equal(payment.amount, input.amount);
        model.refunds.set(id, { transactionId, amount: input.amount, reference: input.reference, created });
        model.transactions.set(transactionId, {
          ...transaction,
          refunded: transaction.refunded + input.amount,
        });
      },
    ),
  );

const repeatKey = fc.record({ at }).map((input) =>
  command(
    `repeat a key ${input.at}`,
    ({ keys }) => keys.length > 0,
    async (model, real) => {
      const { key, path, body, id } = model.keys[input.at % model.keys.length] ?? assert.fail();
      count(model, "calls");
      const repeat = await callApi(
        { ...real.shop(), headers: { "x-idempotency-key": key } },
        "POST",
        path,
        body,
      );
      assert.equal(repeat.status, 409);
      assert.equal(repeat.body.result.codes[0].id, "V10018");
      assert.deepEqual([repeat.body.original.id, repeat.body.original.status], [id, "done"]);
    },
  ),
);

const crash = fc.constant(
  command(
    "kill the gateway",
    () => true,
    async (model, real) => {
      await real.crash();
      count(model, "crashes");
    },
  ),
);

const weighing = (weight: number) => (arbitrary: fc.Arbitrary<Command>) => ({ weight, arbitrary });

/** A kill costs as much time as fifty calls. */
export const COMMANDS: fc.Arbitrary<Command> = fc.oneof(
  ...[createCustomer, changeCustomer, deleteInstrument, debit, cancelRequest, repeatKey].map(weighing(3)),
  ...[addAccount, captureOrVoid, refund].map(weighing(6)),
  ...[createRequest, pay].map(weighing(9)),
  ...[listCommand].map(weighing(12)),
  ...[crash].map(weighing(1)),
);

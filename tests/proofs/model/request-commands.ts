import assert from "node:assert/strict";
import fc from "fast-check";
import { callApi, getRequest, ok, openFrameOn } from "../../support/checkout.ts";
import { DISPUTED } from "../../support/disputes.ts";
import { eventually } from "../../support/eventually.ts";
import {
  assertTransaction,
  at,
  command,
  commandOn,
  crashAfter,
  metadataOf,
  pick,
  reference,
  tag,
} from "./command.ts";
import { addInstrument } from "./customer-commands.ts";
import {
  CREDIT_DECLINED,
  count,
  decided,
  type Model,
  type ModelRequest,
  type ModelTransaction,
  outcomeOf,
  where,
} from "./model.ts";
import { crashDuring, type Real, write } from "./real.ts";

const AMOUNTS = [3000, 5000, 14_451, 14_405, 100, 20_000, DISPUTED];

export const createRequest = fc
  .record({
    amount: fc.constantFrom(...AMOUNTS),
    isManual: fc.boolean(),
    attempts: fc.constantFrom(1, 1, 2, 3),
    /** The customer whose card it stores. */
    customer: fc.option(at, { nil: undefined }),
    reference,
    tag,
    crashAfter,
  })
  .map((input) =>
    command(`create request ${JSON.stringify(input)}`, async (model, real) => {
      const { amount, isManual, attempts, customer } = input;
      const [storesFor] =
        customer === undefined || model.customers.size === 0 ? [] : pick(model.customers, customer);
      const body = {
        payment: { amount },
        paymentMethods: ["card"],
        transactionRequest: { category: { captureType: isManual ? "manual" : "auto" }, attempts },
        ...(storesFor === undefined
          ? {}
          : { customerRequest: { id: storesFor, paymentInstrument: "create" } }),
      };
      await create(model, real, body, { ...input, isManual, storesFor });
    }),
  );

/** A PayID belongs to one open request. */
const PAYIDS = fc.constantFrom("ann", "ben", "cho", "dee");
const TRANSFERRED = fc.constantFrom(3000, CREDIT_DECLINED, 20_000);

export const createPayIdRequest = fc
  .record({ amount: TRANSFERRED, payId: PAYIDS, reference, tag, crashAfter })
  .map((input) =>
    command(`create PayID request ${JSON.stringify(input)}`, async (model, real) => {
      const { amount, payId } = input;
      const isTaken =
        where(model.requests, (one) => one.payId === payId && one.status === "created").size > 0;
      const refused = !model.account.payId ? 403 : isTaken ? 409 : undefined;
      const body = { payment: { amount, instrument: { payId: { type: "single", value: payId } } } };
      await create(model, real, body, { ...input, isManual: false, attempts: 1, refused });
    }),
  );

type Created = Pick<
  ModelRequest,
  "amount" | "isManual" | "attempts" | "reference" | "storesFor" | "payId"
> & {
  readonly tag: string | undefined;
  readonly crashAfter: number | undefined;
  readonly refused?: 403 | 409 | undefined;
};

async function create(model: Model, real: Real, fields: object, input: Created): Promise<void> {
  const { amount, isManual, attempts, reference, storesFor, payId, crashAfter, refused } = input;
  const body = { ...fields, reference, ...metadataOf(input.tag) };
  const path = "/paymentrequests";
  const made = await write(model, real, { method: "POST", path, body, crashAfter, refused });
  if (made === undefined) return;
  const { createdDateTime: created } = await getRequest(real.shop(), made.id);
  const facts = { amount, isManual, attempts, reference, metadata: input.tag, created, storesFor, payId };
  model.requests.set(made.id, { ...facts, status: "created", returns: [] });
  await assertRequest(model, real, made.id);
}

export async function assertRequest(model: Model, real: Real, id: string): Promise<void> {
  const read = await getRequest(real.shop(), id);
  const expected = model.requests.get(id) ?? assert.fail();
  assert.deepEqual([read.paymentRequestStatus, returnsOf(read)], [expected.status, expected.returns], id);
  const ids = (links: readonly { readonly id: string }[]) => links.map((link) => link.id).sort();
  const ownOf = (status: ModelTransaction["status"]) =>
    [...where(model.transactions, (one) => one.requestId === id && one.status === status).keys()].sort();
  assert.deepEqual(ids(read.transactionAttempts ?? []), ownOf("declined"), id);
  assert.deepEqual(ids([read.transactionResult ?? []].flat()), ownOf("approved"), id);
}

type Returns = ModelRequest["returns"];
const returnsOf = ({ payIdReturns = [] }: { readonly payIdReturns?: Returns }): Returns =>
  payIdReturns.map(({ amount, reason }) => ({ amount, reason }));

export const cancelRequest = fc.record({ at, crashAfter }).map((input) =>
  commandOn(
    `cancel request ${JSON.stringify(input)}`,
    ({ requests }) => requests,
    input.at,
    async (model, real, id, request) => {
      const path = `/paymentrequests/${id}/cancel`;
      const refused = request.status === "created" ? undefined : 409;
      const { crashAfter } = input;
      const done = await write(model, real, { method: "POST", path, crashAfter, refused });
      if (done !== undefined) model.requests.set(id, { ...request, status: "cancelled" });
      await assertRequest(model, real, id);
    },
  ),
);

export const pay = fc.record({ at, crashAfter }).map((input) =>
  commandOn(
    `pay ${JSON.stringify(input)}`,
    ({ requests }) => where(requests, ({ status, payId }) => status === "created" && payId === undefined),
    input.at,
    async (model, real, id, request) => {
      const frame = await openFrameOn(real.shop(), id);
      count(model, "calls");
      const paying = frame.pay({ consent: request.storesFor !== undefined }).catch((error: unknown) => {
        if (input.crashAfter === undefined) throw error;
        return undefined;
      });
      if (input.crashAfter !== undefined) await crashDuring(model, real, input.crashAfter);
      const answer = await paying;
      // Only a killed gateway may leave a payer without an outcome.
      if (input.crashAfter === undefined) assert.equal(answer?.status, 200, JSON.stringify(answer?.body));
      const outcome = await eventually(
        "the payment is settled",
        async () => {
          const found = await paymentOf(model, real, id);
          if (found === undefined) return answer?.status === 200 ? undefined : ("unpaid" as const);
          return found.result.status === "pending" ? undefined : found;
        },
        40_000,
      );
      // The gateway was killed before it recorded the attempt: the payer pays again.
      if (outcome === "unpaid") return;
      const { status } = outcome.result;
      if (answer?.status === 200 && answer.body.state !== "pending") assert.equal(answer.body.state, status);
      // An attempt that did not reach the acquirer is declined.
      if (input.crashAfter === undefined || status === "approved")
        assert.equal(status, outcomeOf(request.amount));
      const stored = (await getRequest(real.shop(), id)).customerResult;
      const isStored = status === "approved" && request.storesFor !== undefined;
      assert.equal(stored?.id, isStored ? request.storesFor : undefined);
      if (isStored)
        await addInstrument(model, real, { id: stored.paymentInstrumentId, customerId: stored.id });
      await complete(model, real, id, { ...outcome, source: "card", stored });
    },
  ),
);

/** The payment of a request that the model does not know yet. */
async function paymentOf(model: Model, real: Real, requestId: string) {
  const path = `/transactions?paymentrequestid=${requestId}`;
  const { transactions } = ok(await callApi(real.shop(), "GET", path));
  const made = transactions.filter(({ id }: { readonly id: string }) => !model.transactions.has(id));
  assert.ok(made.length <= 1);
  return made[0];
}

/** Records the outcome of a request's payment. It is completed by an approval, or by the last of its attempts. */
async function complete(
  model: Model,
  real: Real,
  requestId: string,
  // biome-ignore lint/suspicious/noExplicitAny: a transaction as the API answers it.
  { id, createdDateTime: created, result, source, stored }: any,
): Promise<void> {
  const request = model.requests.get(requestId) ?? assert.fail();
  const { amount, isManual, reference, metadata } = request;
  const owner = { customerId: stored?.id, instrumentId: stored?.paymentInstrumentId };
  const attempt = {
    source,
    currency: "AUD" as const,
    amount,
    isManual,
    reference,
    metadata,
    created,
    requestId,
    ...owner,
  };
  model.transactions.set(id, decided(attempt, result.status));
  const made = where(model.transactions, (one) => one.requestId === requestId).size;
  const isOpen = result.status === "declined" && made < request.attempts;
  model.requests.set(requestId, { ...request, status: isOpen ? "created" : "completed" });
  await assertRequest(model, real, requestId);
  await assertTransaction(model, real, id);
}

const REASONS = { completed: "duplicate", cancelled: "closed", expired: "late" } as const;

/** Half of the transfers have the amount of the request. */
const other = fc.option(TRANSFERRED, { nil: undefined, freq: 1 });

/** The exact amount pays the open request of the PayID. Any other transfer goes back, and the last request records it. */
export const transfer = fc.record({ payId: PAYIDS, other, crashAfter }).map((input) =>
  command(`transfer ${JSON.stringify(input)}`, async (model, real) => {
    const { payId, crashAfter } = input;
    const holders = [...where(model.requests, (one) => one.payId === payId)];
    const [id, request] = holders.find(([, { status }]) => status === "created") ?? holders.at(-1) ?? [];
    const amount = input.other ?? request?.amount ?? 1;
    const path = "/sandbox/payid/transfers";
    const refused = request === undefined ? 404 : undefined;
    const body = { payId, amount };
    const made = await write(model, real, { method: "POST", path, body, crashAfter, refused });
    if (id === undefined || request === undefined) return;
    const wrong = amount < request.amount ? "short" : amount > request.amount ? "over" : undefined;
    const reason = request.status === "created" ? wrong : REASONS[request.status];
    if (made?.answer !== undefined)
      assert.deepEqual(
        [made.answer.body.status, made.answer.body.reason],
        [reason === undefined ? "accepted" : "returned", reason],
      );
    if (reason === undefined) {
      const paid = await eventually("the transfer pays the request", () => paymentOf(model, real, id));
      return complete(model, real, id, { ...paid, source: "payid" });
    }
    model.requests.set(id, { ...request, returns: [...request.returns, { amount, reason }] });
    await eventually("the transfer is returned", async () => {
      const shown = returnsOf(await getRequest(real.shop(), id));
      return shown.length > request.returns.length;
    });
    return assertRequest(model, real, id);
  }),
);

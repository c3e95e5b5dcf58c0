import assert from "node:assert/strict";
import fc from "fast-check";
import { callApi, ok } from "../../support/checkout.ts";
import { at, command } from "./command.ts";
import { readRows } from "./list-commands.ts";
import type { Model } from "./model.ts";
import { rangeBetween, rangeNames } from "./ranges.ts";

type Event = {
  readonly id: string;
  readonly created: string;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: payloads are of every shape.
  readonly payload: any;
};

/** What the newest event of each resource shows, by the resource's id. */
type States = ReadonlyMap<string, unknown>;

function statesOf<Value>(entries: ReadonlyMap<string, Value>, state: (value: Value) => unknown): States {
  return new Map([...entries].map(([id, value]) => [id, state(value)]));
}

const KINDS: Readonly<
  Record<
    string,
    { readonly expected: (model: Model) => States; readonly shown: (payload: Event["payload"]) => unknown }
  >
> = {
  customers: {
    expected: ({ customers }) => statesOf(customers, ({ reference }) => reference),
    shown: ({ reference }) => reference,
  },
  payment_instruments: {
    expected: ({ instruments }) =>
      statesOf(instruments, ({ reference, isDeleted }) => [reference, isDeleted]),
    shown: ({ reference, deletedDateTime }) => [reference, deletedDateTime !== undefined],
  },
  payment_requests: {
    expected: ({ requests }) => statesOf(requests, ({ status, returns }) => [status, returns.length]),
    shown: ({ paymentRequestStatus, payIdReturns = [] }) => [paymentRequestStatus, payIdReturns.length],
  },
  transactions: {
    expected: ({ transactions, refunds }) =>
      new Map([
        ...statesOf(transactions, ({ status, captureStatus }) => [status, captureStatus]),
        ...statesOf(refunds, ({ status }) => [status, undefined]),
      ]),
    shown: ({ result, captureStatus }) => [result.status, captureStatus],
  },
  disputes: {
    expected: ({ disputes }) => statesOf(disputes, ({ status }) => status),
    shown: ({ status }) => status,
  },
  payouts: {
    expected: ({ payouts }) => statesOf(payouts, ({ amount }) => amount),
    shown: ({ payment }) => payment.amount,
  },
};

/**
 * Every resource has events, and the newest shows its state. A range or a resource takes its part of them, together as well,
 * and with or without the kind of event.
 */
export const listEvents = fc
  .record({
    kind: fc.constantFrom(...Object.keys(KINDS)),
    limit: fc.constantFrom(25, 100),
    names: rangeNames,
    from: at,
    to: at,
  })
  .map((input) =>
    command(`list events ${JSON.stringify(input)}`, async (model, real) => {
      const { kind, limit, names, from, to } = input;
      const { expected, shown } = KINDS[kind] ?? assert.fail();
      const read = (query: Readonly<Record<string, string>>) =>
        readRows<Event>(model, real, { path: "/events", name: "events", limit, query });
      const ofKind = { event: kind };
      const all = await read(ofKind);
      const newest = new Map<string, unknown>();
      for (const { payload } of all) if (!newest.has(payload.id)) newest.set(payload.id, shown(payload));
      const sorted = (states: States) => [...states].sort(([a], [b]) => (a < b ? -1 : 1));
      assert.deepEqual(sorted(newest), sorted(expected(model)));
      const ids = (events: readonly Event[]) => events.map(({ id }) => id);
      assert.deepEqual(ids(all), ids(all).sort().reverse());
      const one = all[from % Math.max(1, all.length)];
      if (one === undefined) return;
      const { result: _, ...envelope } = ok(await callApi(real.shop(), "GET", `/events/${one.id}`));
      assert.deepEqual(envelope, one);
      const ofResource = { resourceid: one.payload.id };
      const range = rangeBetween(names, [one.created, all[to % all.length]?.created ?? one.created]);
      const own = all.filter(({ payload }) => payload.id === one.payload.id);
      const isWithin = ({ created }: Event) => range.isWithin(created);
      assert.deepEqual(ids(await read(ofResource)), ids(own));
      assert.deepEqual(ids(await read({ ...ofKind, ...ofResource })), ids(own));
      assert.deepEqual(ids(await read({ ...ofResource, ...range.query })), ids(own.filter(isWithin)));
      assert.deepEqual(ids(await read({ ...ofKind, ...range.query })), ids(all.filter(isWithin)));
      const ofAllKinds = await read(range.query);
      assert.deepEqual(ids(ofAllKinds.filter(({ event }) => event === kind)), ids(all.filter(isWithin)));
      assert.ok(ofAllKinds.every(isWithin));
    }),
  );

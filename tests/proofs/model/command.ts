import assert from "node:assert/strict";
import fc from "fast-check";
import { getTransaction } from "../../support/checkout.ts";
import { type Model, refunded } from "./model.ts";
import type { Real } from "./real.ts";

export type Command = fc.AsyncCommand<Model, Real>;

export function command(name: string, run: (model: Model, real: Real) => Promise<void>): Command {
  return { check: () => true, run, toString: () => name };
}

/** A command on one of the entries. It is left out while there is none. */
export function commandOn<Value>(
  name: string,
  entries: (model: Readonly<Model>) => ReadonlyMap<string, Value>,
  place: number,
  run: (model: Model, real: Real, id: string, value: Value) => Promise<void>,
): Command {
  return {
    check: (model) => entries(model).size > 0,
    run: (model, real) => run(model, real, ...pick(entries(model), place)),
    toString: () => name,
  };
}

/** One of the entries, by a number that stays the same when the sequence is repeated. */
export function pick<Value>(entries: ReadonlyMap<string, Value>, place: number): readonly [string, Value] {
  const all = [...entries];
  return all[place % all.length] ?? assert.fail("nothing to pick from");
}

export const at = fc.nat({ max: 1_000 });
export const reference = fc.constantFrom("a", "b", "c");
export const tag = fc.constantFrom(undefined, "x", "y");
/** Most calls go through; in one of 25 the gateway dies a few milliseconds after the call began. */
export const crashAfter = fc.oneof(
  { weight: 24, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom(1, 4, 9, 20) },
);
export const metadataOf = (value: string | undefined) =>
  value === undefined ? {} : { metadata: { tag: value } };

/** Compares a transaction with the model: status and sums. */
export async function assertTransaction(model: Model, real: Real, id: string): Promise<void> {
  const { result, captureStatus, payment, category } = await getTransaction(real.shop(), id);
  const expected = model.transactions.get(id) ?? assert.fail();
  assert.deepEqual(
    {
      status: result.status,
      captureStatus,
      source: category.source,
      amount: payment.amount,
      captured: payment.capturedAmount,
      refunded: payment.refundedAmount,
    },
    {
      status: expected.status,
      captureStatus: expected.captureStatus,
      source: expected.source,
      amount: expected.amount,
      captured: expected.captured,
      refunded: refunded(model, id, "approved"),
    },
    id,
  );
}

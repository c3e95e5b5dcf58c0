import type { Context } from "../../src/platform/context.ts";
import type { Tx } from "../../src/platform/db/database.ts";

/**
 * A point in the gateway's work: the name of a statement or of a connector's call, and its stage. A statement in a
 * transaction passes `before`, `uncommitted` (all of the transaction ran) and `committed`; a call passes `before`, `made`
 * and `after` (it was answered).
 */
export type Point = `${string}:${"before" | "uncommitted" | "committed" | "made" | "after"}`;

/** A listener can stall the gateway at a point, make it fail by throwing, or kill its process. */
export type Listener = (point: Point) => Promise<void> | void;

export function watchContext(ctx: Context, at: Listener): Context {
  const watchedTx = (tx: Tx, ran: string[]): Tx => ({
    rows: async (statement, parameters) => {
      await at(`${statement.name}:before`);
      ran.push(statement.name);
      return tx.rows(statement, parameters);
    },
  });
  const db: Context["db"] = {
    ...ctx.db,
    transaction: async (work) => {
      let ran: string[] = [];
      const result = await ctx.db.transaction(async (tx) => {
        ran = [];
        const done = await work(watchedTx(tx, ran));
        for (const name of ran) await at(`${name}:uncommitted`);
        return done;
      });
      for (const name of ran) await at(`${name}:committed`);
      return result;
    },
  };
  const { sandbox, live } = ctx.connectors;
  if (sandbox === undefined) return { ...ctx, db };
  const { acquirer, threeDSecure, debitBank, payIdRail } = sandbox;
  const watched = {
    ...sandbox,
    debitBank: {
      ...debitBank,
      submit: watchCall("submit", debitBank.submit, at),
      credit: watchCall("credit", debitBank.credit, at),
    },
    acquirer: {
      authorise: watchCall("authorise", acquirer.authorise, at),
      inquire: watchCall("inquire", acquirer.inquire, at),
      reverse: watchCall("reverse", acquirer.reverse, at),
      capture: watchCall("capture", acquirer.capture, at),
      refund: watchCall("refund", acquirer.refund, at),
    },
    threeDSecure: {
      begin: watchCall("begin", threeDSecure.begin, at),
      resultOf: watchCall("resultOf", threeDSecure.resultOf, at),
    },
    payIdRail: {
      register: watchCall("register", payIdRail.register, at),
      release: watchCall("release", payIdRail.release, at),
      returnTransfer: watchCall("returnTransfer", payIdRail.returnTransfer, at),
      refund: watchCall("refundPayId", payIdRail.refund, at),
    },
  };
  return { ...ctx, db, connectors: { sandbox: watched, live } };
}

function watchCall<Input, Answer>(name: string, call: (input: Input) => Promise<Answer>, at: Listener) {
  return async (input: Input): Promise<Answer> => {
    await at(`${name}:before`);
    const answering = call(input);
    answering.catch(() => {});
    await at(`${name}:made`);
    const answer = await answering;
    await at(`${name}:after`);
    return answer;
  };
}

/** A promise, and the function that resolves it. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: () => resolve() };
}

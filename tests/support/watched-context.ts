import type { CardAcquirer } from "../../src/connectors/ports/card-acquirer.ts";
import type { ThreeDSecure } from "../../src/connectors/ports/three-d-secure.ts";
import type { Context } from "../../src/platform/context.ts";
import type { Tx } from "../../src/platform/db/database.ts";
import { mapAcquirers } from "./fake-acquirer.ts";

/**
 * A point in the gateway's work: the name of a statement or of a connector's call, and its stage. A statement in a
 * transaction passes `before`, `uncommitted` (all of the transaction ran) and `committed`; one that is its own transaction
 * passes `before` and `committed`; a call passes `before`, `made`
 * and `after` (it was answered).
 */
export type Point = `${string}:${"before" | "uncommitted" | "committed" | "made" | "after"}`;

/** A listener can stall the gateway at a point, make it fail by throwing, or kill its process. */
export type Listener = (point: Point) => Promise<void> | void;

export function watchContext(ctx: Context, at: Listener): Context {
  const watchedTx = (tx: Tx, ran: string[]): Tx => ({
    ...tx,
    rows: async (statement, parameters) => {
      await at(`${statement.name}:before`);
      ran.push(statement.name);
      return tx.rows(statement, parameters);
    },
    gather: async (statement, row, scope) => {
      await at(`${statement.name}:before`);
      ran.push(statement.name);
      return tx.gather(statement, row, scope);
    },
  });
  const db: Context["db"] = {
    ...ctx.db,
    rows: async (statement, parameters) => {
      await at(`${statement.name}:before`);
      const rows = await ctx.db.rows(statement, parameters);
      await at(`${statement.name}:committed`);
      return rows as never;
    },
    gather: async (statement, row, scope) => {
      await at(`${statement.name}:before`);
      const answer = await ctx.db.gather(statement, row, scope);
      await at(`${statement.name}:committed`);
      return answer as never;
    },
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
  const watched = mapAcquirers(ctx, (host) => watchAcquirer(host, at));
  return { ...watched, db, connectors: watchConnectors(ctx.connectors, at) };
}

function watchAcquirer(host: CardAcquirer, at: Listener): CardAcquirer {
  return {
    ...host,
    authorise: watchCall("authorise", host.authorise, at),
    verify: watchCall("verify", host.verify, at),
    ...(host.inquire === undefined ? {} : { inquire: watchCall("inquire", host.inquire, at) }),
    reverse: watchCall("reverse", host.reverse, at),
    void: watchCall("void", host.void, at),
    capture: watchCall("capture", host.capture, at),
    refund: watchCall("refund", host.refund, at),
    ...(host.threeDSecure === undefined ? {} : { threeDSecure: watchThreeDSecure(host.threeDSecure, at) }),
  };
}

function watchThreeDSecure(threeDSecure: ThreeDSecure, at: Listener): ThreeDSecure {
  return {
    begin: watchCall("begin", threeDSecure.begin, at),
    authenticate: watchCall("authenticate", threeDSecure.authenticate, at),
    resultOf: watchCall("resultOf", threeDSecure.resultOf, at),
  };
}

function watchConnectors(connectors: Context["connectors"], at: Listener): Context["connectors"] {
  return {
    ...connectors,
    getThreeDSecure: (merchant) => watchThreeDSecure(connectors.getThreeDSecure(merchant), at),
    findDebitBank: (merchant) => {
      const bank = connectors.findDebitBank(merchant);
      return (
        bank && {
          submit: watchCall("submit", bank.submit, at),
          read: watchCall("readDebits", bank.read, at),
          credit: watchCall("credit", bank.credit, at),
        }
      );
    },
    findPayIdRail: (merchant) => {
      const rail = connectors.findPayIdRail(merchant);
      return (
        rail && {
          register: watchCall("register", rail.register, at),
          release: watchCall("release", rail.release, at),
          returnTransfer: watchCall("returnTransfer", rail.returnTransfer, at),
          refund: watchCall("refundPayId", rail.refund, at),
        }
      );
    },
  };
}

function watchCall<Input extends unknown[], Answer>(
  name: string,
  call: (...input: Input) => Promise<Answer>,
  at: Listener,
) {
  return async (...input: Input): Promise<Answer> => {
    await at(`${name}:before`);
    const answering = call(...input);
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

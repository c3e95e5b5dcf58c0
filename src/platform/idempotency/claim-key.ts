import { Refusal } from "../../kernel/refusal.ts";
import type { Database, Tx } from "../db/database.ts";
import type { Log } from "../log/log.ts";
import { findOriginal, insertKeyUse, markKeyDone } from "./queries.ts";

/** The caller, as far as idempotency is concerned. */
export type KeyHolder = {
  readonly merchantId: string;
  readonly requestId: string;
  readonly idempotencyKey: string | undefined;
};

export type Made = {
  readonly id: string | null;
  readonly path: string | null;
  /**
   * The request goes on after its transaction, for example with a call to a bank. Its key is `processing` until the outcome
   * is recorded, by this request or by the job that recovers it (`finishKeysOf`), until the job of a charge has tried, or until
   * the request is answered (`finishKey`). One without an id has no such job: its key counts as `done` after a minute.
   */
  readonly goesOn?: true;
};

/**
 * Uses the caller's idempotency key up for what this transaction makes. Called before anything is decided: a repeat is
 * refused as one, whatever state the first request led to. A refusal later in the transaction frees the key again.
 */
export async function claimKey(tx: Tx, holder: KeyHolder, made: Made): Promise<void> {
  if (holder.idempotencyKey === undefined) return;
  const { merchantId, requestId, idempotencyKey: key } = holder;
  const status = made.goesOn === true ? "processing" : "done";
  const use = { merchantId, key, requestId, resourceId: made.id, location: made.path, status } as const;
  if (!(await insertKeyUse(tx, use))) throw await keyIsUsed(tx, holder);
}

/**
 * Marks the request that used the key as done although the outcome of its call is not known. If that fails, the answer is
 * sent nevertheless: the job that recovers the outcome marks the key as well, and a
 * key without an id counts as done after a minute.
 */
export async function finishKey(
  ctx: { readonly db: Database; readonly log: Log },
  holder: KeyHolder,
): Promise<void> {
  const { merchantId, idempotencyKey } = holder;
  if (idempotencyKey === undefined) return;
  try {
    await markKeyDone(ctx.db, merchantId, idempotencyKey);
  } catch (error) {
    ctx.log.warn(
      { error },
      "idempotency key not marked as done: repeats get `processing` until the outcome is recovered",
    );
  }
}

/** Does what a request does after its commit, and marks its key as done, also if that fails. */
export async function finishKeyAfter<Result>(
  ctx: { readonly db: Database; readonly log: Log },
  holder: KeyHolder,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } finally {
    await finishKey(ctx, holder);
  }
}

/** The answer to a repeat: what the first request made. */
export async function keyIsUsed(tx: Tx, holder: KeyHolder): Promise<Refusal> {
  const original = await findOriginal(tx, holder.merchantId, holder.idempotencyKey ?? "");
  return new Refusal([{ code: "header_idempotency_key_is_used" }], { original });
}

/** For a request with work before its transaction, which a repeat must not reach. */
export async function refuseRepeat(tx: Tx, holder: KeyHolder): Promise<void> {
  if (holder.idempotencyKey === undefined) return;
  const repeat = await keyIsUsed(tx, holder);
  if (repeat.original !== undefined) throw repeat;
}

/**
 * For a refusal that came before the key was checked, such as an unknown id: undefined unless the request is a repeat,
 * which is refused as a repeat instead. Invalid input is refused first.
 */
export async function findRepeat(tx: Tx, holder: KeyHolder, error: unknown): Promise<Refusal | undefined> {
  if (holder.idempotencyKey === undefined || !(error instanceof Refusal)) return undefined;
  if (error.status < 403 || error.status > 409 || error.original !== undefined) return undefined;
  const repeat = await keyIsUsed(tx, holder);
  return repeat.original === undefined ? undefined : repeat;
}

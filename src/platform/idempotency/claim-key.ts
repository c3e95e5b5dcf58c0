import { Refusal } from "../../kernel/refusal.ts";
import type { Database, Tx } from "../db/database.ts";
import type { Log } from "../log/log.ts";
import { findOriginal, insertKeyUse, markKeyDone } from "./queries.ts";

/** Who asks, as far as idempotency goes. */
export type KeyHolder = {
  readonly merchantId: string;
  readonly requestId: string;
  readonly idempotencyKey: string | undefined;
};

export type Made = {
  readonly id: string | null;
  readonly path: string | null;
  /** The request goes on after its transaction, to ask a bank; `finishKey` says when it is over. */
  readonly goesOn?: true;
};

/**
 * Uses the caller's idempotency key up for what this transaction makes. Called before anything is decided: a repeat is
 * told that it is one, whatever state the first request led to. A refusal later in the transaction frees the key again.
 */
export async function claimKey(tx: Tx, holder: KeyHolder, made: Made): Promise<void> {
  if (holder.idempotencyKey === undefined) return;
  const { merchantId, requestId, idempotencyKey: key } = holder;
  const status = made.goesOn === true ? "processing" : "done";
  const use = { merchantId, key, requestId, resourceId: made.id, location: made.path, status } as const;
  if (!(await insertKeyUse(tx, use))) throw await keyIsUsed(tx, holder);
}

/**
 * The request that used the key has done all it does. That this could not be written down changes nothing of what was
 * done, so the answer is given all the same; after a minute the key says so by itself.
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
    ctx.log.warn({ error }, "an idempotency key says processing for a minute");
  }
}

/** The answer to a repeat: what the first request made. */
export async function keyIsUsed(tx: Tx, holder: KeyHolder): Promise<Refusal> {
  const original = await findOriginal(tx, holder.merchantId, holder.idempotencyKey ?? "");
  return new Refusal([{ code: "header_idempotency_key_is_used" }], original);
}

/**
 * For a refusal that came before the key was looked at, such as a page that is not there: undefined unless the request is
 * a repeat, which hears that it is one all the same. What is invalid comes first.
 */
export async function findRepeat(tx: Tx, holder: KeyHolder, error: unknown): Promise<Refusal | undefined> {
  if (holder.idempotencyKey === undefined || !(error instanceof Refusal)) return undefined;
  if (error.status < 403 || error.status > 409 || error.original !== undefined) return undefined;
  const repeat = await keyIsUsed(tx, holder);
  return repeat.original === undefined ? undefined : repeat;
}

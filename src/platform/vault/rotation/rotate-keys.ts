import type { Id } from "../../../kernel/ids.ts";
import { record } from "../../audit/queries.ts";
import { requireVaultKey } from "../vault-keys.ts";
import { moveToActiveKeys } from "./move-secrets.ts";
import {
  countLeft,
  countOn,
  countOutgoing,
  destroyKeys,
  listRotatingMerchants,
  lockRetired,
  lockRotation,
  lockUnretired,
  markOutgoing,
  retireKeys,
} from "./queries.ts";
import { retryWhileLocked } from "./retry-while-locked.ts";
import type { RotationContext } from "./rotation-context.ts";

export type RotationProgress = { readonly moved: number; readonly total: number };

export type RotationReport = {
  /** An earlier rotation was cut off and this one finished it. */
  readonly resumed: boolean;
  readonly merchants: number;
  readonly moved: number;
  /** Numbers that can't be read; they and their keys were left as they are. */
  readonly unreadable: number;
};

const IDLE_ROUNDS = 3;

/**
 * Makes new keys for every merchant, moves every number to them and destroys the old ones, while numbers are kept, used
 * and erased. Its only state are the marks on the keys: after a crash, the next run continues.
 */
export async function rotateKeys(
  ctx: RotationContext,
  onProgress: (progress: RotationProgress) => void,
): Promise<RotationReport> {
  const { db, now } = ctx;
  requireVaultKey(ctx.vaultKeys);
  const resumed = await begin(ctx);
  const merchants = await listRotatingMerchants(db);
  const total = await countLeft(db);
  let moved = 0;
  const step = (count: number) => {
    moved += count;
    onProgress({ moved, total: Math.max(total, moved) });
  };
  let unreadable = 0;
  for (const merchantId of merchants) {
    await replaceKeys(ctx, merchantId);
    unreadable += await empty(ctx, merchantId, step);
  }
  const detail = `${merchants.length} merchants, ${moved} numbers, ${unreadable} unreadable`;
  await record(db, { act: "rotation_ended", detail }, now());
  return { resumed, merchants: merchants.length, moved, unreadable };
}

/** Marks the keys that are to go, unless there is a rotation to go on with. */
async function begin({ db, now }: RotationContext): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockRotation(tx);
    if ((await countOutgoing(tx)) > 0) return true;
    const marked = await markOutgoing(tx, now());
    await record(tx, { act: "rotation_begun", detail: `${marked} keys` }, now());
    return false;
  });
}

/** From here on everything new goes under new keys. */
async function replaceKeys(
  { db, vaultKeys, now }: RotationContext,
  merchantId: Id<"merchant">,
): Promise<void> {
  await db.transaction(async (tx) => {
    const outgoing = await lockUnretired(tx, merchantId);
    if (outgoing.length === 0) return;
    await retireKeys(tx, outgoing, now());
    for (const id of outgoing) await record(tx, { act: "key_retired", merchantId, subjectId: id }, now());
    await vaultKeys.make(tx, merchantId, "data");
    await vaultKeys.make(tx, merchantId, "fingerprint");
  });
}

/** Moves what is on the retired keys until nothing is, and destroys them. Returns how many numbers can't be moved. */
async function empty(
  ctx: RotationContext,
  merchantId: Id<"merchant">,
  step: (count: number) => void,
): Promise<number> {
  let left = 0;
  // A number that came in under an old key meanwhile is moved in another round; one that can't be read stays.
  for (let idle = 0; idle < IDLE_ROUNDS; ) {
    const { moved, unreadable } = await moveToActiveKeys(ctx, merchantId, step);
    left = await retryWhileLocked(() => destroyWhenEmpty(ctx, merchantId));
    if (left === 0 || left === unreadable) return left;
    idle = moved === 0 ? idle + 1 : 0;
  }
  return left;
}

/** Returns how many numbers are still on the retired keys; with none, the keys are destroyed. */
async function destroyWhenEmpty({ db, now }: RotationContext, merchantId: Id<"merchant">): Promise<number> {
  return db.transaction(async (tx) => {
    const ids = (await lockRetired(tx, merchantId)).map(({ id }) => id);
    const left = await countOn(tx, ids);
    if (left > 0) return left;
    await destroyKeys(tx, ids, now());
    for (const id of ids) await record(tx, { act: "key_destroyed", merchantId, subjectId: id }, now());
    return 0;
  });
}

import { record } from "../../audit/queries.ts";
import type { Tx } from "../../db/database.ts";
import { SecretUnreadable } from "../errors.ts";
import { openText, sealText } from "../sealed-texts.ts";
import type { OpenKey } from "../vault-keys.ts";
import {
  countTextsOn,
  destroyKeys,
  listOutgoingTextKeys,
  listTextsOn,
  lockOutgoingTextKeys,
  lockRotation,
  moveText,
  retireTextKey,
} from "./queries.ts";
import { retryWhileLocked } from "./retry-while-locked.ts";
import type { RotationContext } from "./rotation-context.ts";
import type { SealedColumn } from "./sealed-column.ts";

export type TextRenewal = {
  readonly moved: number;
  /** Texts that can't be read; they and their key were left as they are. */
  readonly unreadable: number;
};

const AT_ONCE = 200;
const ROUNDS = 5;

/**
 * Moves sealed texts (signing keys, passwords, second factors…) to a new key and destroys the old one, while they are
 * read and changed. After an interruption, the next run continues.
 */
export async function renewTextKeys(
  ctx: RotationContext,
  columns: readonly SealedColumn[],
): Promise<TextRenewal> {
  if (!(await begin(ctx))) return { moved: 0, unreadable: 0 };
  let moved = 0;
  // A text that came in under the old key meanwhile is moved in another round; one that can't be read stays.
  for (let round = 1; ; round += 1) {
    let unreadable = 0;
    for (const column of columns) {
      const done = await moveColumn(ctx, column);
      moved += done.moved;
      unreadable += done.unreadable;
    }
    const left = await retryWhileLocked(() => destroyWhenEmpty(ctx, columns));
    if (left === 0 || left === unreadable || round === ROUNDS) return { moved, unreadable: left };
  }
}

/** False when there is no key yet: nothing was ever sealed. */
async function begin({ db, vaultKeys, now }: RotationContext): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockRotation(tx);
    if ((await listOutgoingTextKeys(tx)).length > 0) return true;
    const retired = await retireTextKey(tx, now());
    if (retired === undefined) return false;
    await record(tx, { act: "key_retired", subjectId: retired }, now());
    await vaultKeys.make(tx, null, "text");
    return true;
  });
}

async function moveColumn(ctx: RotationContext, column: SealedColumn): Promise<TextRenewal> {
  let [moved, unreadable] = [0, 0];
  let after = "";
  for (;;) {
    const page = await ctx.db.transaction((tx) => movePage(ctx, tx, column, after));
    moved += page.moved;
    unreadable += page.seen - page.moved;
    if (page.seen < AT_ONCE) return { moved, unreadable };
    after = page.last;
  }
}

/** Holds the new key and the rows while it moves texts, so that no concurrent change is undone. */
async function movePage(
  { vaultKeys, now }: RotationContext,
  tx: Tx,
  column: SealedColumn,
  after: string,
): Promise<{ readonly seen: number; readonly moved: number; readonly last: string }> {
  const active = await vaultKeys.ofTexts(tx);
  let moved = 0;
  const old = await openKeys(vaultKeys, tx);
  const rows = await listTextsOn(tx, column, { keyIds: [...old.keys()], after, atMost: AT_ONCE });
  for (const { id, sealed } of rows) {
    const purpose = column.purposeOf(id);
    const text = openText(old.get(sealed.split(".", 1)[0] ?? ""), purpose, sealed);
    if (text === undefined) {
      await record(tx, { act: "text_unreadable", detail: `${purpose}, in a rotation` }, now());
      continue;
    }
    await moveText(tx, column, id, sealText(active, purpose, text));
    moved += 1;
  }
  return { seen: rows.length, moved, last: rows.at(-1)?.id ?? "" };
}

/** A key that can't be unwrapped is there without its bytes: its texts can't be read, those of others can. */
async function openKeys(
  { unwrap }: RotationContext["vaultKeys"],
  tx: Tx,
): Promise<ReadonlyMap<string, OpenKey | undefined>> {
  const open = new Map<string, OpenKey | undefined>();
  for (const key of await listOutgoingTextKeys(tx)) {
    const opened = await unwrap(key).catch((error: unknown) => {
      if (error instanceof SecretUnreadable) return undefined;
      throw error;
    });
    open.set(key.id, opened);
  }
  return open;
}

/** Returns how many texts are still on the old keys; with none, the keys are destroyed. */
async function destroyWhenEmpty(
  { db, now }: RotationContext,
  columns: readonly SealedColumn[],
): Promise<number> {
  return db.transaction(async (tx) => {
    const ids = await lockOutgoingTextKeys(tx);
    let left = 0;
    for (const column of columns) left += await countTextsOn(tx, column, ids);
    if (left > 0) return left;
    await destroyKeys(tx, ids, now());
    for (const id of ids) await record(tx, { act: "key_destroyed", subjectId: id }, now());
    return 0;
  });
}

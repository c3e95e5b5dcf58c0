import { ID_PREFIXES, type IdNoun, parseId } from "../../kernel/ids.ts";
import { type Instant, writable } from "../../kernel/time.ts";

/** The last row seen: its id and, in a list by changes, the time of its last change. */
export type CursorPlace = { readonly id: string; readonly updatedAt: Instant | undefined };

/** A cursor is the place of the last row seen, so the server keeps no state for it. */
export function cursorOf({ id, updatedAt }: CursorPlace): string {
  return Buffer.from(updatedAt === undefined ? id : `${id} ${updatedAt}`).toString("base64url");
}

export function placeOfCursor(cursor: string): CursorPlace {
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  const [, id = "", moment] = /^(\S*) (\d{1,15})$/.exec(text) ?? [];
  const updatedAt = moment === undefined ? undefined : writable(Number(moment));
  return updatedAt === undefined ? { id: text, updatedAt } : { id, updatedAt };
}

/** A cursor of any list. */
export function isCursor(text: string): boolean {
  const { id } = placeOfCursor(text);
  return (Object.keys(ID_PREFIXES) as IdNoun[]).some((noun) => parseId(noun, id) !== undefined);
}

const UNCHANGING: ReadonlySet<IdNoun> = new Set(["event", "payout"]);

/** Whether resources of that noun never change: their last change is their creation. */
export function isUnchanging(noun: IdNoun): boolean {
  return UNCHANGING.has(noun);
}

type Ranges = { readonly updatedFrom?: unknown; readonly updatedTo?: unknown };

/** Whether a query of a list walks along changes. */
export function isListByUpdate(noun: IdNoun, { updatedFrom, updatedTo }: Ranges): boolean {
  return !isUnchanging(noun) && (updatedFrom !== undefined || updatedTo !== undefined);
}

/** Whether it is a cursor of this list. One of a list by creation does not fit one by changes, nor the other way round. */
export function fitsList(noun: IdNoun, cursor: string, query: Ranges): boolean {
  const { id, updatedAt } = placeOfCursor(cursor);
  return parseId(noun, id) !== undefined && (updatedAt !== undefined) === isListByUpdate(noun, query);
}

/** The last attempt seen of an event's deliveries; without a time before the first attempt. */
export type AttemptPlace = {
  readonly attemptedAt: Instant | null;
  readonly webhookId: string;
  readonly attempt: number;
};

export function cursorOfAttempt({ attemptedAt, webhookId, attempt }: AttemptPlace): string {
  return btoa(`${attemptedAt ?? ""} ${webhookId} ${attempt}`);
}

/** Undefined for anything else than such a cursor. */
export function placeOfAttempt(cursor: string): AttemptPlace | undefined {
  const text = Buffer.from(cursor, "base64").toString("latin1");
  const [, moment, webhookId, attempt] = /^(\d{0,15}) (whk_[0-9a-z]{1,40}) (\d{1,9})$/.exec(text) ?? [];
  if (webhookId === undefined) return undefined;
  const attemptedAt = moment === "" ? null : writable(Number(moment));
  return attemptedAt === undefined ? undefined : { attemptedAt, webhookId, attempt: Number(attempt) };
}

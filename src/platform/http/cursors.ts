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

/** The last attempt seen of an event's deliveries. */
export type AttemptPlace = { readonly attempt: number; readonly webhookId: string };

export function cursorOfAttempt({ attempt, webhookId }: AttemptPlace): string {
  return btoa(`${attempt} ${webhookId}`);
}

/** Undefined for anything else than such a cursor. */
export function placeOfAttempt(cursor: string): AttemptPlace | undefined {
  const text = Buffer.from(cursor, "base64").toString("latin1");
  const [, attempt, webhookId] = /^(\d{1,9}) (whk_[0-9a-z]{1,40})$/.exec(text) ?? [];
  return webhookId === undefined ? undefined : { attempt: Number(attempt), webhookId };
}

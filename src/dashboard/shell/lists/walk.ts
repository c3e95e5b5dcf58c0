import { ID_PREFIXES, type IdNoun, idFloor, parseId } from "../../../kernel/ids.ts";
import type { Instant } from "../../../kernel/time.ts";

/** Which part of a list to read. `after` and `before` are ids on the neighbouring page. */
export type WalkInput = {
  /** On to the next page: older rows, unless the oldest come first. */
  readonly before?: string | undefined;
  /** Back to the previous page. */
  readonly after?: string | undefined;
  readonly from?: Instant | undefined;
  readonly to?: Instant | undefined;
};

/** A range of ids and the direction to walk it. The cost is the number of rows passed, at any depth. */
export type Walk = {
  readonly low: string;
  readonly high: string;
  readonly order: "asc" | "desc";
  /** Towards the beginning of the list. */
  readonly isBackwards: boolean;
};

export const ROWS_SHOWN = 25;

/** A filter without an index searches this many rows at a time; “Older” continues from there. */
export const ROWS_LOOKED_AT = 20_000;

export function walkOf(noun: IdNoun, input: WalkInput, oldestFirst = false): Walk {
  const after = input.after === undefined ? undefined : parseId(noun, input.after);
  const before = input.before === undefined ? undefined : parseId(noun, input.before);
  const isBackwards = after !== undefined;
  const low = input.from === undefined ? "" : idFloor(noun, input.from);
  const high = input.to === undefined ? `${ID_PREFIXES[noun]}_~` : idFloor(noun, input.to);
  const cursor = after ?? before;
  const order = oldestFirst === isBackwards ? "desc" : "asc";
  if (cursor === undefined) return { low, high, order, isBackwards };
  return order === "asc"
    ? { low: largest(low, `${cursor}~`), high, order, isBackwards }
    : { low, high: smallest(high, cursor), order, isBackwards };
}

/** A page of a list, newest first, and the ids from which its neighbours continue. */
export type Walked<Row> = {
  readonly rows: readonly Row[];
  readonly newer: string | undefined;
  readonly older: string | undefined;
  /** How far back the search looked, when it was cut before the page was full. */
  readonly lookedBackTo: string | undefined;
};

/** Drops the row that was read beyond the page. `cutAt` is the id at which the search was cut, if it was. */
export function cutWalk<Row extends { readonly id: string }>(
  { isBackwards }: Pick<Walk, "isBackwards">,
  input: WalkInput,
  read: readonly Row[],
  cutAt: string | undefined,
): Walked<Row> {
  const full = read.length > ROWS_SHOWN;
  const shown = read.slice(0, ROWS_SHOWN);
  const rows = isBackwards ? [...shown].reverse() : shown;
  const [first, last] = [rows[0]?.id, rows.at(-1)?.id];
  const goesOn = full || cutAt !== undefined;
  const edge = full ? (isBackwards ? first : last) : cutAt;
  return {
    rows,
    newer: isBackwards
      ? goesOn
        ? edge
        : undefined
      : input.before === undefined
        ? undefined
        : (first ?? input.before),
    older: isBackwards ? (last ?? input.after) : goesOn ? edge : undefined,
    lookedBackTo: full ? undefined : cutAt,
  };
}

function largest(one: string, other: string): string {
  return one > other ? one : other;
}

function smallest(one: string, other: string): string {
  return one < other ? one : other;
}

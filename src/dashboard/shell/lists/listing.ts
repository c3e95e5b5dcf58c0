import type { IdNoun } from "../../../kernel/ids.ts";
import type { Instant } from "../../../kernel/time.ts";

/** The conditions of one word: an equation that an index has, and what the rows that the walk passes are searched for. */
export type Word = { readonly indexed?: string; readonly loose?: string };

export type Filter =
  | {
      /** With `?` for the value; an equation where an index has it. */
      readonly sql: string;
      /** An index has it; otherwise the rows that the walk passes are searched. */
      readonly isIndexed: boolean;
      /** So many rows have the same value that it leads the walk only where no other filter does. */
      readonly isShared?: true;
      /** One letter, for the name of the statement. */
      readonly short: string;
      /** The value is a pair of metadata, whose own index leads the walk. */
      readonly isPair?: true;
    }
  | {
      /** Each value has conditions of its own, with `?` for the merchant's time. Another value matches no row. */
      readonly words: Readonly<Record<string, Word>>;
      readonly short: string;
    };

/** The filter of every list that has metadata. */
export const METADATA: Filter = { sql: "", isIndexed: true, short: "m", isPair: true };

export function equal(column: string, short: string, isIndexed: boolean): Filter {
  return { sql: `${column} = ?`, isIndexed, short };
}

export function shared(column: string, short: string): Filter {
  return { sql: `${column} = ?`, isIndexed: true, isShared: true, short };
}

/** What the one search field can mean; a text may mean several. */
export type SearchKind = "reference" | "last4" | "amount" | "email" | "metadata";

/** How rows are found by way of other tables; `:value` is the searched text. */
export type IndirectSearch = {
  /**
   * A `select` that walks indexes: the ids of the rows, in any order and some of them twice, and null for a record that leads
   * to none. So it returns as many rows as it passes entries.
   */
  readonly ids: string;
  /** The same as a condition on a row that the walk passes, which it calls `passed`. */
  readonly fits: string;
};

export type Row = { readonly id: string; readonly createdAt: Instant };
/** Of a list that can be exported. */
export type ChangingRow = Row & { readonly updatedAt: Instant };

/** A table of a merchant's records, and what its list can be filtered, searched and sorted by. */
export type Listing<Shown extends Row> = {
  readonly name: string;
  readonly noun: IdNoun;
  readonly table: string;
  /** Of `shown`, the rows of one page, and of what is joined to them. */
  readonly columns: string;
  /** Joins to `shown`. */
  readonly beside?: string;
  readonly filters: Readonly<Record<string, Filter>>;
  /** Equations with `?`, each with an index that begins with the merchant; or by way of other tables. */
  readonly search?: Partial<Readonly<Record<Exclude<SearchKind, "metadata">, string | IndirectSearch>>>;
  /** Expressions of `{table}` with an index (merchant, expression, id), by the name in the URL. */
  readonly sorts?: Readonly<Record<string, string>>;
  /** What is added up by currency, by its heading. Without it rows are only counted. */
  readonly sums?: Readonly<Record<string, string>>;
  /** Never set: it carries the type of the rows. */
  readonly row?: Shown;
};

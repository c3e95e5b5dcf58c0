import type { Metadata } from "../../kernel/metadata.ts";

/** What `metadata_pairs` has a digest of. A list of one customer or one transaction has its id as scope, others have none. */
export function pairText(pair: { readonly key: string; readonly value: string }, scope = ""): string {
  return `${scope}/${pair.key}=${pair.value}`;
}

export type PairWalk = {
  /** Whose rows are read. */
  readonly table: string;
  /** SQL of the text of the pair (`pairText`), and conditions on `resource_id`. */
  readonly pair: string;
  readonly range: string;
};

/**
 * Rows of a table that have a pair, for a `from` clause; `pair.resource_id` is the order of the walk. `offset 0` makes
 * the index of pairs lead: a planner with old statistics would otherwise search the table for a rare pair.
 */
export function rowsWithPair({ table, pair, range }: PairWalk): string {
  return `(select resource_id from metadata_pairs
      where merchant_id = $1 and digest = sha256(convert_to(${pair}, 'UTF8')) and ${range}) as pair
    cross join lateral (
      select * from ${table} where merchant_id = $1 and id = pair.resource_id offset 0) as ${table}`;
}

/** SQL of whether a row that another index found has a pair. */
export function hasPair(id: string, pair: string): string {
  return `exists (select from metadata_pairs where merchant_id = $1
    and digest = sha256(convert_to(${pair}, 'UTF8')) and resource_id = ${id} offset 0)`;
}

/** As a column has it. */
export function metadataValue(metadata: Metadata | null): string | null {
  return metadata === null ? null : JSON.stringify(metadata);
}

/** As a row has it. */
export function readMetadata(value: string | null): Metadata | null {
  return value === null ? null : (JSON.parse(value) as Metadata);
}

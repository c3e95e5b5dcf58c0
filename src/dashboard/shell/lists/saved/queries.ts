import type { Id } from "../../../../kernel/ids.ts";
import type { Instant } from "../../../../kernel/time.ts";
import { at, sql, type Tx } from "../../../../platform/db/database.ts";

export type SavedFilter = { readonly name: string; readonly query: string };

/** Whose filters, of which list. */
export type FilterPlace = {
  readonly merchantId: Id<"merchant">;
  readonly userId: Id<"user">;
  readonly section: string;
};

const OWNED = "merchant_id = $1 and user_id = $2 and section = $3";

const LIST = sql(
  "dashboard_filters_list",
  `select name, query from dashboard_filters where ${OWNED} order by lower(name), name`,
);

const PUT = sql(
  "dashboard_filters_put",
  `insert into dashboard_filters (merchant_id, user_id, section, name, query, created_at) values ($1, $2, $3, $4, $5, $6)
   on conflict (merchant_id, user_id, section, name) do update set query = excluded.query`,
);

const DELETE = sql("dashboard_filters_delete", `delete from dashboard_filters where ${OWNED} and name = $4`);

const placed = ({ merchantId, userId, section }: FilterPlace) => [merchantId, userId, section];

export async function listFilters(tx: Tx, place: FilterPlace): Promise<readonly SavedFilter[]> {
  return tx.rows<SavedFilter>(LIST, placed(place));
}

export async function putFilter(
  tx: Tx,
  place: FilterPlace,
  filter: SavedFilter,
  now: Instant,
): Promise<void> {
  await tx.rows(PUT, [...placed(place), filter.name, filter.query, at(now)]);
}

export async function deleteFilter(tx: Tx, place: FilterPlace, name: string): Promise<void> {
  await tx.rows(DELETE, [...placed(place), name]);
}

import { createHash } from "node:crypto";
import { type Parameter, type Statement, sql, type Tx } from "./database.ts";
import { rowsWithPair } from "./metadata-pairs.ts";

/** A range of ids, newest first: at most `limit` ids from `from` (included) to `before` (not included). */
export type Page = { readonly before: string; readonly from: string; readonly limit: number };

/** What a list reads: rows of one merchant, newest first, cut by a page. */
export type Listing = {
  readonly name: string;
  readonly table: string;
  readonly columns: string;
  /** What always holds of the rows that are shown, as SQL. */
  readonly always?: string;
};

/** Values by column; a column without a value is not filtered. */
type Filters = Readonly<Record<string, Parameter | undefined>>;

const statements = new Map<string, Statement>();

/**
 * A page of a merchant's rows, with equality filters by column, or with a pair of metadata (as `pairText` writes it). Each
 * set of filters is a statement of its own, so that each has its own plan on its own index.
 */
export async function listRows<Row>(
  tx: Tx,
  listing: Listing,
  merchantId: string,
  {
    page,
    filters = {},
    pair,
  }: { readonly page: Page; readonly filters?: Filters; readonly pair?: string | undefined },
): Promise<readonly Row[]> {
  const given = Object.entries(filters).filter((one): one is [string, Parameter] => one[1] !== undefined);
  const statement = statementFor(
    listing,
    given.map(([column]) => column),
    pair !== undefined,
  );
  const values = [...given.map(([, value]) => value), ...(pair === undefined ? [] : [pair])];
  return tx.rows<Row>(statement, [merchantId, page.before, page.from, page.limit, ...values]);
}

/** A page without a beginning begins with the first id of its noun: resources of all nouns share the pairs. */
export const PAIR_RANGE = "resource_id < $2 and resource_id >= greatest($3, left($2, strpos($2, '_')))";

function statementFor(listing: Listing, columns: readonly string[], byPair: boolean): Statement {
  // PostgreSQL cuts names at 63 bytes, and a cut name could mean two statements.
  const digest = createHash("sha256").update(columns.join()).digest("hex").slice(0, 16);
  const name = `${listing.name}_list_${byPair ? "pair_" : ""}${digest}`;
  const known = statements.get(name);
  if (known !== undefined) return known;
  const filters = columns.map((column, index) => `and ${column} = $${index + 5}`);
  const filter = [...(listing.always === undefined ? [] : [`and ${listing.always}`]), ...filters].join(" ");
  const rows = rowsWithPair({ table: listing.table, pair: `$${columns.length + 5}`, range: PAIR_RANGE });
  const made = sql(
    name,
    byPair
      ? `select ${listing.columns} from ${rows} where true ${filter} order by pair.resource_id desc limit $4`
      : `select ${listing.columns} from ${listing.table}
     where merchant_id = $1 and id < $2 and id >= $3 ${filter} order by id desc limit $4`,
  );
  statements.set(name, made);
  return made;
}

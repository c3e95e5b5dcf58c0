import { createHash } from "node:crypto";
import { type Parameter, type Statement, sql, type Tx } from "./database.ts";

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
 * A page of a merchant's rows, with equality filters by column. Each set of filters is a statement of its own, so that
 * each has its own plan on its own index.
 */
export async function listRows<Row>(
  tx: Tx,
  listing: Listing,
  merchantId: string,
  { page, filters = {} }: { readonly page: Page; readonly filters?: Filters },
): Promise<readonly Row[]> {
  const given = Object.entries(filters).filter((one): one is [string, Parameter] => one[1] !== undefined);
  const statement = statementFor(
    listing,
    given.map(([column]) => column),
  );
  const values = given.map(([, value]) => value);
  return tx.rows<Row>(statement, [merchantId, page.before, page.from, page.limit, ...values]);
}

function statementFor(listing: Listing, columns: readonly string[]): Statement {
  // PostgreSQL cuts names at 63 bytes, and a cut name could mean two statements.
  const name = `${listing.name}_list_${createHash("sha256").update(columns.join()).digest("hex").slice(0, 16)}`;
  const known = statements.get(name);
  if (known !== undefined) return known;
  const filters = columns.map((column, index) => `and ${column} = $${index + 5}`);
  const filter = [...(listing.always === undefined ? [] : [`and ${listing.always}`]), ...filters].join(" ");
  const made = sql(
    name,
    `select ${listing.columns} from ${listing.table}
     where merchant_id = $1 and id < $2 and id >= $3 ${filter} order by id desc limit $4`,
  );
  statements.set(name, made);
  return made;
}

import { sql, type Tx } from "../../platform/db/database.ts";

/** A line of a simulator's book, as it is stored. */
export type LedgerLine = {
  readonly kind: string;
  readonly reference: string;
  readonly belongsTo: string | null;
  readonly amount: number;
  readonly facts: Readonly<Record<string, string>>;
};

type Row = Omit<LedgerLine, "facts"> & { readonly facts: string };

const COLUMNS = `kind, reference, belongs_to as "belongsTo", amount, facts`;

const ADD = sql(
  "book_add",
  `insert into sandbox_books (book, kind, reference, belongs_to, amount, facts) values ($1, $2, $3, $4, $5, $6)
   on conflict do nothing returning ${COLUMNS}`,
);

const FIND = sql(
  "book_find",
  `select ${COLUMNS} from sandbox_books where book = $1 and kind = $2 and reference = $3`,
);

const LIST = sql(
  "book_list",
  `select ${COLUMNS} from sandbox_books where book = $1 and belongs_to = $2 order by id`,
);

const lineOf = (row: Row): LedgerLine => ({ ...row, facts: JSON.parse(row.facts) as LedgerLine["facts"] });

/** A book in the database: only ever added to, shared by all nodes, and no other table knows of it. */
export function openLedger(tx: Tx, ledger: string) {
  const find = async (kind: string, reference: string): Promise<LedgerLine | undefined> => {
    const [row] = await tx.rows<Row>(FIND, [ledger, kind, reference]);
    return row && lineOf(row);
  };
  return {
    addOnce: async (line: LedgerLine): Promise<LedgerLine> => {
      const { kind, reference, belongsTo, amount, facts } = line;
      const values = [ledger, kind, reference, belongsTo, amount, JSON.stringify(facts)];
      const [added] = await tx.rows<Row>(ADD, values);
      const counts = added === undefined ? await find(kind, reference) : lineOf(added);
      if (counts === undefined) throw new Error("a line that was there before is gone");
      return counts;
    },
    find,
    listBelongingTo: async (belongsTo: string): Promise<readonly LedgerLine[]> =>
      (await tx.rows<Row>(LIST, [ledger, belongsTo])).map(lineOf),
  };
}

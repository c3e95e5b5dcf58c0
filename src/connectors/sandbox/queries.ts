import { sql, type Tx } from "../../platform/db/database.ts";
import type { Entry, Ledger } from "./ledger.ts";

type Row = Omit<Entry, "facts"> & { readonly facts: string };

const COLUMNS = `kind, reference, belongs_to as "belongsTo", amount, facts`;

/**
 * The commit does not wait for the disk: a bank's own disk is not ours. The gateway's next commit does wait, and makes this
 * entry durable with its own record of the answer.
 */
const ADD = sql(
  "ledger_add",
  `insert into sandbox_ledger (ledger, kind, reference, belongs_to, amount, facts)
   select $1, $2, $3, $4, $5, $6 where set_config('synchronous_commit', 'off', true) = 'off'
   on conflict do nothing returning true as added`,
);

const FIND = sql(
  "ledger_find",
  `select ${COLUMNS} from sandbox_ledger where ledger = $1 and kind = $2 and reference = $3`,
);

const LIST = sql(
  "ledger_list",
  `select ${COLUMNS} from sandbox_ledger where ledger = $1 and belongs_to = $2 order by id`,
);

const entryOf = (row: Row): Entry => ({ ...row, facts: JSON.parse(row.facts) as Entry["facts"] });

/** A ledger in the database: append-only, shared by all nodes, and no other table refers to it. */
export function openLedger(tx: Tx, name: string): Ledger {
  const find = async (kind: string, reference: string): Promise<Entry | undefined> => {
    const [row] = await tx.rows<Row>(FIND, [name, kind, reference]);
    return row && entryOf(row);
  };
  return {
    addOnce: async (entry) => {
      const { kind, reference, belongsTo, amount, facts } = entry;
      const values = [name, kind, reference, belongsTo, amount, JSON.stringify(facts)];
      const [added] = await tx.rows(ADD, values);
      const counts = added === undefined ? await find(kind, reference) : entry;
      if (counts === undefined) throw new Error("an entry of the sandbox's ledger has disappeared");
      return counts;
    },
    find,
    listBelongingTo: async (belongsTo) => (await tx.rows<Row>(LIST, [name, belongsTo])).map(entryOf),
  };
}

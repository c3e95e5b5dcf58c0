import { sql, type Tx } from "../../platform/db/database.ts";
import { jsonRow, jsonRows, namesOf, valuesOf } from "../../platform/db/json-rows.ts";
import type { Entry, Ledger } from "./ledger.ts";

type Row = Omit<Entry, "facts"> & { readonly facts: string };

const COLUMNS = `kind, reference, belongs_to as "belongsTo", amount, facts`;

const ENTRY_ROW = {
  kind: "text",
  reference: "text",
  belongs_to: "text",
  amount: "bigint",
  facts: "json",
} as const;

const add = (name: string, condition: string) =>
  sql(
    name,
    `with input as materialized (select * from ${jsonRows("$2", ENTRY_ROW, "r")}),
     added as (
       insert into sandbox_ledger (ledger, ${namesOf(ENTRY_ROW)})
       select $1, ${valuesOf(ENTRY_ROW, "i")} from input i where ${condition}
       order by kind, reference
       on conflict do nothing returning kind, reference)
     select min(i.place)::integer as place from input i join added using (kind, reference) group by kind, reference`,
  );

/**
 * The commit does not wait for the disk: a bank's own disk is not ours. The gateway's next commit does wait, and makes this
 * entry durable with its own record of the answer.
 */
const ADD = add("ledger_add", "set_config('synchronous_commit', 'off', true) = 'off'");

/**
 * The commit waits for the disk. For calls whose answer leads to no commit but the end of their job: the database can fail
 * and return between the two, and then the job would end without the entry.
 */
const ADD_FOR_JOBS = add("ledger_add_for_jobs", "true");

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
export function openLedger(tx: Tx, name: string, { forJobs = false } = {}): Ledger {
  const find = async (kind: string, reference: string): Promise<Entry | undefined> => {
    const [row] = await tx.rows<Row>(FIND, [name, kind, reference]);
    return row && entryOf(row);
  };
  return {
    addOnce: async (entry) => {
      const { kind, reference, belongsTo, amount, facts } = entry;
      const row = jsonRow(ENTRY_ROW, [kind, reference, belongsTo, amount, JSON.stringify(facts)]);
      const added = await tx.gather(forJobs ? ADD_FOR_JOBS : ADD, [row], [name]);
      const counts = added === undefined ? await find(kind, reference) : entry;
      if (counts === undefined) throw new Error("an entry of the sandbox's ledger has disappeared");
      return counts;
    },
    find,
    listBelongingTo: async (belongsTo) => (await tx.rows<Row>(LIST, [name, belongsTo])).map(entryOf),
  };
}

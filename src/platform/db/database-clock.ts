import { type Instant, instant } from "../../kernel/time.ts";
import { onlyRow, sql, type Tx } from "./database.ts";

/**
 * The time by which a node judges timed work: the database's, the same on every node. Between two readings the
 * process counts on by itself, in a time that never jumps, so the clock of the node's machine decides nothing.
 */
export type DatabaseClock = {
  readonly now: () => Instant;
  /** Reads the database's clock from time to time, until `stop`. */
  readonly start: () => void;
  readonly stop: () => Promise<void>;
};

/** After a failover the time is another machine's; after a suspension the process has counted too little. */
const READ_EVERY_MS = 10_000;
/** One answer can come late and say little; of several, one is quick. */
const FIRST_READINGS = 3;

const READ = sql("database_clock", "select clock_timestamp() as now");

/** Milliseconds since some moment, however often the machine's clock is set meanwhile. */
type Uptime = () => number;

export async function openDatabaseClock(
  db: Pick<Tx, "rows">,
  uptime: Uptime = () => performance.now(),
): Promise<DatabaseClock> {
  let began: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let reading: Promise<void> = Promise.resolve();

  /**
   * The database read its clock between the question and the answer. The time is set only as far as that proves it wrong,
   * so that late answers do not move it back and forth.
   */
  async function read(): Promise<void> {
    const asked = uptime();
    const { now } = onlyRow(await db.rows<{ readonly now: Instant }>(READ, []));
    const [least, most] = [now - uptime(), now - asked];
    began = began === undefined ? (least + most) / 2 : Math.min(Math.max(began, least), most);
  }

  const again = () => {
    timer = setTimeout(() => {
      // While the database is away, the process counts on.
      reading = read().then(again, again);
    }, READ_EVERY_MS);
  };

  for (let done = 0; done < FIRST_READINGS; done += 1) await read();
  return {
    now: () => instant(Math.floor((began ?? 0) + uptime())),
    start: again,
    stop: async () => {
      clearTimeout(timer);
      await reading;
      clearTimeout(timer);
    },
  };
}

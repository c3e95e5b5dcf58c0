import { type Id, idFloor } from "../../kernel/ids.ts";
import { type Instant, later, SECOND } from "../../kernel/time.ts";
import type { Tx } from "../../platform/db/database.ts";
import { type EventPlace, findEvent, listEventsAfter } from "./queries.ts";

/** A published event and its merchant. */
export type FollowedEvent = Pick<EventPlace, "merchantId" | "event"> & { readonly body: string };

/** A merchant, and the time on its clock. */
export type Followed = { readonly id: Id<"merchant">; readonly now: Instant };

export type EventFollower = {
  /** Returns the events since the last poll. The first poll returns none and sets the starting point. */
  readonly poll: (tx: Tx, merchants: readonly Followed[]) => Promise<readonly FollowedEvent[]>;
};

/**
 * Ids are created before their transaction commits, and nodes' clocks differ: an event may appear behind others that were
 * seen already. So each poll goes back this far and skips what it has seen.
 */
const LOOK_BACK = 10 * SECOND;
const AT_ONCE = 500;

/** Per merchant: the newest moment seen, and all seen ids that a poll may read again. */
type Position = { newest: Instant; seen: Map<Id<"event">, Instant> };

export function createEventFollower(): EventFollower {
  const positions = new Map<Id<"merchant">, Position>();
  let isFirst = true;
  return {
    poll: async (tx, merchants) => {
      for (const { id, now } of merchants) {
        if (!positions.has(id)) positions.set(id, { newest: now, seen: new Map() });
      }
      const unseen = await readUnseen(tx, merchants, positions);
      const events: FollowedEvent[] = [];
      for (const { merchantId, id, event } of isFirst ? [] : unseen) {
        const row = await findEvent(tx, merchantId, id);
        if (row !== undefined) events.push({ merchantId, event, body: row.body });
      }
      // Only after all reads succeeded: the next poll repeats what a lost database connection cut off.
      for (const { merchantId, id, createdAt } of unseen) positions.get(merchantId)?.seen.set(id, createdAt);
      for (const position of positions.values()) advance(position);
      isFirst = false;
      return events;
    },
  };
}

async function readUnseen(
  tx: Tx,
  merchants: readonly Followed[],
  positions: ReadonlyMap<Id<"merchant">, Position>,
): Promise<readonly EventPlace[]> {
  const unseen: EventPlace[] = [];
  let places = new Map(
    merchants.map(({ id, now }) => [
      id,
      idFloor("event", later(positions.get(id)?.newest ?? now, -LOOK_BACK)),
    ]),
  );
  while (places.size > 0) {
    const rows = await listEventsAfter(tx, places, AT_ONCE);
    for (const row of rows) {
      if (positions.get(row.merchantId)?.seen.has(row.id) === false) unseen.push(row);
    }
    // Only merchants with a full page can have more.
    places = new Map(
      [...places.keys()].flatMap((id) => {
        const own = rows.filter(({ merchantId }) => merchantId === id);
        const last = own.reduce((greatest, row) => (row.id > greatest ? row.id : greatest), "");
        return own.length === AT_ONCE ? [[id, last] as const] : [];
      }),
    );
  }
  return unseen;
}

/** Moves on to the newest moment and drops ids that no poll reads again. */
function advance(position: Position): void {
  for (const moment of position.seen.values()) if (moment > position.newest) position.newest = moment;
  const oldest = later(position.newest, -2 * LOOK_BACK);
  for (const [id, moment] of position.seen) if (moment < oldest) position.seen.delete(id);
}

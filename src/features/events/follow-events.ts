import { type Id, idFloor } from "../../kernel/ids.ts";
import { type Instant, later, SECOND } from "../../kernel/time.ts";
import type { Tx } from "../../platform/db/database.ts";
import { type EventPlace, findEvent, listEventsAfter } from "./queries.ts";

/** An event as it is announced, and whose it is. */
export type FollowedEvent = Pick<EventPlace, "merchantId" | "event"> & { readonly body: string };

/** A merchant, and the time on its clock. */
export type Followed = { readonly id: Id<"merchant">; readonly now: Instant };

export type Follower = {
  /** What was announced since the last look. The first look gives nothing: it is where following begins. */
  readonly look: (tx: Tx, merchants: readonly Followed[]) => Promise<readonly FollowedEvent[]>;
};

/**
 * Ids are made before their transaction commits, and nodes' clocks differ: an event may turn up behind others that were
 * seen already. So each look goes back this far, and knows what it has seen there.
 */
const LOOK_BACK = 10 * SECOND;
const AT_ONCE = 500;

/** Of one merchant: the newest moment seen, and all ids seen that a look may meet again. */
type Trail = { newest: Instant; seen: Map<Id<"event">, Instant> };

export function createFollower(): Follower {
  const trails = new Map<Id<"merchant">, Trail>();
  let begun = false;
  return {
    look: async (tx, merchants) => {
      for (const { id, now } of merchants) {
        if (!trails.has(id)) trails.set(id, { newest: now, seen: new Map() });
      }
      const fresh = await readFresh(tx, merchants, trails);
      const told = begun ? fresh : [];
      const events: FollowedEvent[] = [];
      for (const { merchantId, id, event } of told) {
        const found = await findEvent(tx, merchantId, id);
        if (found !== undefined) events.push({ merchantId, event, body: found.body });
      }
      // Only now: what a database that went away kept us from telling is met again.
      for (const { merchantId, id, createdAt } of fresh) trails.get(merchantId)?.seen.set(id, createdAt);
      for (const trail of trails.values()) forget(trail);
      begun = true;
      return events;
    },
  };
}

async function readFresh(
  tx: Tx,
  merchants: readonly Followed[],
  trails: ReadonlyMap<Id<"merchant">, Trail>,
): Promise<readonly EventPlace[]> {
  const fresh: EventPlace[] = [];
  let places = new Map(
    merchants.map(({ id, now }) => [id, idFloor("event", later(trails.get(id)?.newest ?? now, -LOOK_BACK))]),
  );
  while (places.size > 0) {
    const rows = await listEventsAfter(tx, places, AT_ONCE);
    for (const row of rows) {
      if (trails.get(row.merchantId)?.seen.has(row.id) === false) fresh.push(row);
    }
    // Only whoever filled a portion can have more.
    places = new Map(
      [...places.keys()].flatMap((id) => {
        const own = rows.filter(({ merchantId }) => merchantId === id);
        const last = own.reduce((greatest, row) => (row.id > greatest ? row.id : greatest), "");
        return own.length === AT_ONCE ? [[id, last] as const] : [];
      }),
    );
  }
  return fresh;
}

/** What is older than a look goes back is never met again. */
function forget(trail: Trail): void {
  for (const moment of trail.seen.values()) if (moment > trail.newest) trail.newest = moment;
  const oldest = later(trail.newest, -2 * LOOK_BACK);
  for (const [id, moment] of trail.seen) if (moment < oldest) trail.seen.delete(id);
}

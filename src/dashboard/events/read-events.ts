import type { Merchant } from "../../features/merchants/index.ts";
import type { Context } from "../../platform/context.ts";
import { type DeliveryFacts, deliveriesOf } from "../payments/queries.ts";
import { cutWalk, ROWS_SHOWN, type Walked, walkOf } from "../shell/lists/walk.ts";
import { type EventLine, walkEvents } from "./queries.ts";

export type EventWithDeliveries = EventLine & { readonly deliveries: readonly DeliveryFacts[] };

/** A page of the event log, each with how its deliveries stand. */
export async function readEvents(
  { db }: Pick<Context, "db">,
  { id: merchantId }: Pick<Merchant, "id">,
  input: {
    readonly before?: string | undefined;
    readonly after?: string | undefined;
    readonly event?: string | undefined;
    readonly failed: boolean;
  },
): Promise<Walked<EventWithDeliveries>> {
  const walk = walkOf("event", input);
  const read = await walkEvents(db, merchantId, walk, ROWS_SHOWN + 1, input);
  const page = cutWalk(walk, input, read, undefined);
  const ids = page.rows.map(({ id }) => id);
  const deliveries = await deliveriesOf(db, merchantId, ids);
  return {
    ...page,
    rows: page.rows.map((event) => ({
      ...event,
      deliveries: deliveries.filter(({ eventId }) => eventId === event.id),
    })),
  };
}

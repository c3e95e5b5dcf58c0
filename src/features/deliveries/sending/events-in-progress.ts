import type { DueDelivery } from "../delivery.ts";
import type { DueSubscription } from "./queries.ts";

type DeliveryIds = Pick<DueDelivery, "webhookId" | "eventId">;

/** Events of each subscription that are queued, in flight, or done with an outcome that is not written yet. */
export type EventsInProgress = {
  readonly add: (subscription: DueSubscription, deliveries: readonly DueDelivery[]) => void;
  readonly remove: (delivery: DeliveryIds) => void;
  readonly idsOf: (subscription: DueSubscription) => readonly string[];
};

export function createEventsInProgress(): EventsInProgress {
  const bySubscription = new Map<string, Set<string>>();
  return {
    add: ({ webhookId }, deliveries) => {
      const ids = bySubscription.get(webhookId) ?? new Set<string>();
      for (const { eventId } of deliveries) ids.add(eventId);
      bySubscription.set(webhookId, ids);
    },
    remove: ({ webhookId, eventId }) => {
      const ids = bySubscription.get(webhookId);
      ids?.delete(eventId);
      if (ids?.size === 0) bySubscription.delete(webhookId);
    },
    idsOf: ({ webhookId }) => [...(bySubscription.get(webhookId) ?? [])],
  };
}

/** The handled events. A real shop keeps this with its orders, for as long as the gateway may repeat deliveries. */
export type Inbox = {
  /** Does the work unless this event was already handled; one at a time per resource. */
  readonly once: (
    eventId: string,
    resourceId: string,
    work: () => Promise<void>,
  ) => Promise<"done" | "repeat">;
  /** Whether a newer version of the resource is known. */
  readonly isOld: (resourceId: string, updated: string) => boolean;
  readonly remember: (resourceId: string, updated: string) => void;
};

/** More events than the gateway sends during its retry period. */
const MOST = 10_000;

export function openInbox(): Inbox {
  const handled = new Set<string>();
  const newest = new Map<string, string>();
  const turns = new Map<string, Promise<unknown>>();
  return {
    once: async (eventId, resourceId, work) => {
      const before = turns.get(resourceId) ?? Promise.resolve();
      const turn = before
        .catch(() => {})
        .then(async () => {
          if (handled.has(eventId)) return "repeat" as const;
          await work();
          // Marked only after success: failed work is repeated with the next delivery.
          handled.add(eventId);
          dropOldest(handled);
          return "done" as const;
        });
      turns.set(resourceId, turn);
      try {
        return await turn;
      } finally {
        if (turns.get(resourceId) === turn) turns.delete(resourceId);
      }
    },
    // ISO 8601 timestamps in UTC sort as strings.
    isOld: (resourceId, updated) => (newest.get(resourceId) ?? "") > updated,
    remember: (resourceId, updated) => {
      if ((newest.get(resourceId) ?? "") < updated) newest.set(resourceId, updated);
      dropOldest(newest);
    },
  };
}

function dropOldest(kept: Set<string> | Map<string, string>): void {
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST) return;
    kept.delete(oldest);
  }
}

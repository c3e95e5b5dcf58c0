/** What was heard already. A real shop keeps this beside its orders, for as long as the gateway may repeat itself. */
export type Inbox = {
  /** Does the work unless this event was handled; one at a time for each resource. */
  readonly once: (
    eventId: string,
    resourceId: string,
    work: () => Promise<void>,
  ) => Promise<"done" | "repeat">;
  /** Whether we know a newer version of the resource than this. */
  readonly isOld: (resourceId: string, updated: string) => boolean;
  readonly remember: (resourceId: string, updated: string) => void;
};

/** More than the gateway sends in the days that it tries for. */
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
          // Only now: work that failed is done again when the gateway repeats itself.
          handled.add(eventId);
          forgetOldest(handled);
          return "done" as const;
        });
      turns.set(resourceId, turn);
      try {
        return await turn;
      } finally {
        if (turns.get(resourceId) === turn) turns.delete(resourceId);
      }
    },
    // Timestamps are ISO 8601 in UTC, so that they sort as texts.
    isOld: (resourceId, updated) => (newest.get(resourceId) ?? "") > updated,
    remember: (resourceId, updated) => {
      if ((newest.get(resourceId) ?? "") < updated) newest.set(resourceId, updated);
      forgetOldest(newest);
    },
  };
}

function forgetOldest(kept: Set<string> | Map<string, string>): void {
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST) return;
    kept.delete(oldest);
  }
}

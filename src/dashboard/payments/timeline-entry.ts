import type { Instant } from "../../kernel/time.ts";
import type { Delivery } from "../events/queries.ts";
import type { EntryFacts } from "./entry-of-event.ts";

/** One thing that happened, with the event that was published about it, if any, and its deliveries. */
export type TimelineEntry = EntryFacts & {
  readonly at: Instant;
  /** The transaction, refund or request that changed. */
  readonly subjectId: string;
  readonly payoutId?: string;
  readonly event?: {
    readonly id: string;
    readonly name: string;
    readonly deliveries: readonly Delivery[];
  };
};

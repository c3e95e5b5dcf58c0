import type { Html } from "../../../browser/ui/html.ts";

export type DeliveryModel = {
  readonly webhookId: string;
  readonly url: string | null;
  readonly status: "pending" | "delivered" | "failed";
  readonly attempts: number;
  readonly httpStatus: number | null;
  readonly latencyMs: number | null;
  readonly error: string | null;
  /** On the merchant's clock, as all moments of these pages. */
  readonly nextAt: number | null;
};

/** One thing that happened. What its title means stands in `entry-words.ts`. */
export type EntryModel = {
  readonly title:
    | { readonly kind: "request"; readonly status: string; readonly paid?: boolean }
    | { readonly kind: "requestChanged" | "attempt" }
    | { readonly kind: "outcome" | "capture" | "refund" | "token"; readonly status: string }
    | { readonly kind: "operation"; readonly what: string }
    | { readonly kind: "line"; readonly what: string; readonly paid: boolean }
    | { readonly kind: "transfer"; readonly status: string; readonly reason: string | null };
  readonly tone: "good" | "bad" | "waiting" | "none";
  readonly at: number;
  readonly subjectId: string;
  readonly amount?: number;
  readonly code?: string | null;
  readonly message?: string;
  readonly authentication?: string;
  readonly note?: string;
  readonly payoutId?: string;
  readonly event?: {
    readonly id: string;
    readonly name: string;
    readonly deliveries: readonly DeliveryModel[];
  };
};

export type PaymentModel = {
  readonly base: string;
  readonly zone: string;
  readonly now: number;
  readonly formToken: string;
  readonly mayAct: boolean;
  readonly amount: number;
  readonly currency: string;
  /** How it stands: one word or more. */
  readonly states: readonly string[];
  /** A sentence about what is to be expected next, if anything is. */
  readonly outlook: string | undefined;
  /** Links to what can be done now. */
  readonly actions: readonly { readonly href: string; readonly words: string; readonly danger?: boolean }[];
  readonly underWay: boolean;
  /** Where this page is, to load it again. */
  readonly path: string;
  readonly entries: readonly EntryModel[];
  readonly facts: readonly {
    readonly heading: string;
    readonly rows: readonly (readonly [string, Html | string | undefined])[];
  }[];
};

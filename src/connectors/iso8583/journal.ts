import type { Cents, Currency } from "../../kernel/money.ts";
import type { Instant } from "../../kernel/time.ts";
import type { Trace } from "./trace.ts";

/** A request asks for an authorisation, purchase or refund. The others follow up on one. */
export type MessageKind = "request" | "completion" | "void" | "reversal";

/** What the host answered. */
export type HostAnswer = {
  /** Empty in a 0430 without one. */
  readonly responseCode: string;
  readonly authorisationCode: string | null;
  readonly retrieval: string | null;
  /** Of a partial approval. */
  readonly approvedAmount: Cents | null;
  readonly networkTransactionId: string | null;
  readonly securityCodeResult: string | null;
};

/** An answer, and how often its message may have left until then. */
export type Answered = { readonly sends: number; readonly answer: HostAnswer };

/** A message before it is sent for the first time. It holds no card data. */
export type NewEntry = {
  readonly kind: MessageKind;
  /** Our id of the call; of a reversal that of the reversed call. */
  readonly reference: string;
  /** Our id of the payment that it is about; null for the payment itself. */
  readonly original: string | null;
  readonly type: string;
  readonly code: string;
  readonly trace: Trace;
  readonly amount: Cents;
  readonly currency: Currency;
};

/** A message on record, with its repeats. */
export type JournalEntry = NewEntry & {
  /** How often it may have left. 0: surely never. */
  readonly sends: number;
  /** When it left for the first time. */
  readonly sentAt: Instant;
  /** A request that was reversed before it was sent. */
  readonly isCancelled: boolean;
  /** Null while the host has not answered in time. */
  readonly answer: HostAnswer | null;
  readonly lateResponseCode: string | null;
};

import type { Speech } from "../../src/kernel/languages/speech.ts";
import type { PayFormControl } from "../ui/control-form.ts";
import type { CallGateway } from "./call-gateway.ts";
import type { FinalPanel } from "./final-panels.ts";
import type { Page } from "./page.ts";
import type { Attempt, CheckoutDetails } from "./read-responses.ts";

export type ProcessStatus = "approved" | "declined" | "pending" | "failed";

/** A running checkout, embedded in a merchant's page or on the hosted page. */
export type Checkout = {
  readonly speech: Speech;
  readonly details: CheckoutDetails;
  readonly page: Page;
  readonly call: CallGateway;
  readonly form: () => PayFormControl;
  /** The declined attempt after which the payer tries again. */
  readonly previous: () => string | undefined;
  /** Emits `process` to the embedding page. */
  readonly emit: (status: ProcessStatus, facts: Pick<Attempt, "transactionId" | "codes">) => void;
  /** Emits `surchargeUpdate` to the embedding page, in cents. */
  readonly emitSurcharge: (surcharge: number) => void;
  readonly showApproved: (attempt: Attempt, total: number) => void;
  readonly showDeclined: (attempt: Attempt) => void;
  /** The checkout can't be paid any more. */
  readonly showFinal: (final: FinalPanel) => void;
  /** True once the checkout was removed or the page is being replaced. */
  readonly isClosed: () => boolean;
};

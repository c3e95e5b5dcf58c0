import type { PayFormControl } from "../ui/control-form.ts";
import type { CallGateway } from "./call-gateway.ts";
import type { Ending } from "./final-panels.ts";
import type { Page } from "./page.ts";
import type { Attempt, Opening } from "./read-responses.ts";

export type ProcessStatus = "approved" | "declined" | "pending" | "failed";

/** One opened checkout, in a merchant's page or on a hosted one: what is to be paid, where it is shown, whom to ask. */
export type Checkout = {
  readonly opening: Opening;
  readonly page: Page;
  readonly call: CallGateway;
  readonly form: () => PayFormControl;
  /** Whoever embeds us hears how it went. */
  readonly tell: (status: ProcessStatus, facts: Pick<Attempt, "transactionId" | "codes">) => void;
  /** Whoever embeds us hears what the payer's card costs on top, in cents. */
  readonly emitSurcharge: (surcharge: number) => void;
  readonly showApproved: (attempt: Attempt, total: number) => void;
  readonly showDeclined: (attempt: Attempt) => void;
  /** Nothing can be paid here any more. */
  readonly showEnding: (ending: Ending) => void;
  /** True once the checkout was taken down. */
  readonly isGone: () => boolean;
};

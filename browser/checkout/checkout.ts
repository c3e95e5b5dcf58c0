import type { EventName, EventPayload } from "../protocol/client-events.ts";
import type { CardFormControl } from "../ui/enhance-card-form.ts";
import type { Opening } from "./answers.ts";
import type { Ask } from "./ask-gateway.ts";
import type { Page } from "./page.ts";

/** One opened checkout: what is to be paid, where it is shown, whom to ask and whom to tell. */
export type Checkout = {
  readonly opening: Opening;
  readonly page: Page;
  readonly ask: Ask;
  readonly emit: (name: EventName, payload: EventPayload) => void;
  /** The form that stands on the page now. After a decline with attempts left it is a new one. */
  readonly form: () => CardFormControl;
  readonly openForm: (notice?: string) => void;
  /** True once the merchant's page has taken the checkout down. */
  readonly isGone: () => boolean;
};

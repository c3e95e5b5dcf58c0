import type { FrameLocator, Locator, Page } from "playwright-core";

/** Wallet buttons in the checkout's frame or on the hosted page, located by name. */
export type WalletButtons = {
  readonly applePay: Locator;
  readonly googlePay: Locator;
  /** The sandbox's sheet, while it is open. */
  readonly sheet: Locator;
  readonly card: (label: string) => Locator;
  readonly confirm: Locator;
  readonly cancel: Locator;
};

export function walletButtons(place: Page | FrameLocator): WalletButtons {
  const button = (name: string) => place.getByRole("button", { name, exact: true });
  const sheet = place.getByRole("dialog");
  return {
    applePay: button("Apple Pay"),
    googlePay: button("Google Pay"),
    sheet,
    card: (label) => sheet.getByRole("radio", { name: label }),
    confirm: sheet.getByRole("button", { name: "Confirm", exact: true }),
    cancel: sheet.getByRole("button", { name: "Cancel", exact: true }),
  };
}

/** The number of Apple Pay and Google Pay buttons. */
export function shownOf({ applePay, googlePay }: WalletButtons): Promise<readonly number[]> {
  return Promise.all([applePay.count(), googlePay.count()]);
}

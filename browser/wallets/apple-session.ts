import type { AppleSelection } from "./apple-price.ts";

/** The part of Apple Pay JS that is used here. The browser provides it; no script is loaded. */

type ApplePaymentMethod = { readonly network?: unknown };

type ApplePayment = {
  readonly token: { readonly paymentData: unknown; readonly paymentMethod?: ApplePaymentMethod };
};

export type AppleSession = {
  onvalidatemerchant: ((event: { readonly validationURL: string }) => void) | null;
  onpaymentmethodselected: ((event: { readonly paymentMethod: ApplePaymentMethod }) => void) | null;
  onpaymentauthorized: ((event: { readonly payment: ApplePayment }) => void) | null;
  oncancel: (() => void) | null;
  readonly begin: () => void;
  readonly abort: () => void;
  readonly completeMerchantValidation: (merchantSession: unknown) => void;
  readonly completePaymentMethodSelection: (selection: AppleSelection) => void;
  readonly completePayment: (result: { readonly status: number }) => void;
};

export type ApplePaySessionClass = {
  new (version: number, request: object): AppleSession;
  readonly canMakePayments: () => boolean;
  readonly supportsVersion: (version: number) => boolean;
  readonly STATUS_SUCCESS: number;
  readonly STATUS_FAILURE: number;
};

/** Apple Pay, if the browser has it and the device can pay. `canMakePayments` throws where the page may not call it. */
export function findApple(): ApplePaySessionClass | undefined {
  const { ApplePaySession: apple } = window as { readonly ApplePaySession?: ApplePaySessionClass };
  try {
    return apple?.canMakePayments() === true ? apple : undefined;
  } catch (_notHere) {
    return undefined;
  }
}

/** As much of Apple Pay JS as is used here. The browser brings it; no script is loaded. */

export type AppleLine = {
  readonly label: string;
  readonly amount: string;
  readonly type?: "final" | "pending";
};

export type AppleSelection = { readonly newTotal: AppleLine; readonly newLineItems: readonly AppleLine[] };

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

export type AppleMaker = {
  new (version: number, request: object): AppleSession;
  readonly canMakePayments: () => boolean;
  readonly supportsVersion: (version: number) => boolean;
  readonly STATUS_SUCCESS: number;
  readonly STATUS_FAILURE: number;
};

/** Apple Pay, where the browser has it and the payer's device can pay. It throws where it may not be asked. */
export function findApple(): AppleMaker | undefined {
  const { ApplePaySession: maker } = window as { readonly ApplePaySession?: AppleMaker };
  try {
    return maker?.canMakePayments() === true ? maker : undefined;
  } catch (_notHere) {
    return undefined;
  }
}

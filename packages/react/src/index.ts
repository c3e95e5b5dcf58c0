"use client";

export {
  type LoadOptions,
  loadTidegate,
  type PayUI,
  type PayUICode,
  type PayUIConfig,
  type PayUIEvents,
  type PayUIInitialiseEvent,
  type PayUIInstance,
  type PayUIProcessEvent,
  type PayUISurchargeUpdateEvent,
  type PayUIVariables,
  type PinnedScript,
} from "./load-tidegate.ts";
export { TidegateCheckout, type TidegateCheckoutProps } from "./tidegate-checkout.ts";
export {
  type Checkout,
  type CheckoutOptions,
  type CheckoutStatus,
  useTidegateCheckout,
} from "./use-tidegate-checkout.ts";

"use client";

import { type CSSProperties, createElement, type ReactElement } from "react";
import { type CheckoutOptions, useTidegateCheckout } from "./use-tidegate-checkout.ts";

export type TidegateCheckoutProps = CheckoutOptions & {
  readonly className?: string | undefined;
  readonly style?: CSSProperties | undefined;
};

/** The embedded checkout. The payer types the card into the gateway's frame; this page never sees it. */
export function TidegateCheckout({ className, style, ...options }: TidegateCheckoutProps): ReactElement {
  const { containerProps } = useTidegateCheckout(options);
  return createElement("div", { ...containerProps, className, style });
}

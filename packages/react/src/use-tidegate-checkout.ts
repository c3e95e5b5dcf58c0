"use client";

import type {
  PayUIConfig,
  PayUIInitialiseEvent,
  PayUIInstance,
  PayUIProcessEvent,
  PayUISurchargeUpdateEvent,
} from "@tidegate/client/payui";
import { useCallback, useEffect, useId, useRef, useState } from "react";
import { type LoadOptions, loadTidegate } from "./load-tidegate.ts";

/** The version of the checkout that this package is written for. */
const VERSION = "1.0.0";

export type CheckoutOptions = LoadOptions & {
  /** From `POST /tokens`. Null or undefined while your server creates it. A new token starts a new checkout. */
  readonly token: string | null | undefined;
  /** Language and theme are read when a checkout starts: a later change never discards what the payer has typed. */
  readonly locale?: string | undefined;
  readonly ui?: PayUIConfig["ui"] | undefined;
  readonly onInitialise?: ((event: PayUIInitialiseEvent) => void) | undefined;
  readonly onSurchargeUpdate?: ((event: PayUISurchargeUpdateEvent) => void) | undefined;
  /** For display only: fulfil on the webhook or on `GET /paymentrequests/{id}`. */
  readonly onProcess?: ((event: PayUIProcessEvent) => void) | undefined;
  /** The script did not load. Without this handler the console shows the error. */
  readonly onLoadError?: ((error: Error) => void) | undefined;
};

export type CheckoutStatus = "loading" | "ready" | "failed";

export type Checkout = {
  /** For the element that receives the checkout: `<div {...containerProps} />`. It must have no children of its own. */
  readonly containerProps: { readonly id: string };
  /** `failed`: the script did not load, or the gateway refused the token; `onLoadError` or `onInitialise` has the reason. */
  readonly status: CheckoutStatus;
  /** Starts again with the same token, such as after the script did not load. */
  readonly retry: () => void;
};

/** The embedded checkout in an element of your own. Nothing happens while rendering, so it renders on a server too. */
export function useTidegateCheckout(options: CheckoutOptions): Checkout {
  const { token, hostedUrl } = options;
  const id = useId();
  const [status, setStatus] = useState<CheckoutStatus>("loading");
  const [attempt, setAttempt] = useState(0);
  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  const latest = useRef(options);

  // Before the effect below, which reads it, and after every render: handlers change without a new checkout.
  useEffect(() => {
    latest.current = options;
    return undefined;
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` restarts it
  useEffect(() => {
    setStatus("loading");
    if (token === null || token === undefined) return undefined;
    let isOver = false;
    let instance: PayUIInstance | undefined;
    loadTidegate(latest.current).then(
      (payUI) => {
        if (isOver) return;
        const { locale, ui } = latest.current;
        instance = payUI.initialise({
          token,
          containerId: id,
          version: VERSION,
          ...(locale !== undefined && { locale }),
          ...(ui !== undefined && { ui }),
        });
        instance.on("initialise", (event) => {
          setStatus(event.result.status === "ok" ? "ready" : "failed");
          latest.current.onInitialise?.(event);
        });
        instance.on("surchargeUpdate", (event) => latest.current.onSurchargeUpdate?.(event));
        instance.on("process", (event) => latest.current.onProcess?.(event));
      },
      (error: unknown) => {
        if (isOver || !(error instanceof Error)) return;
        setStatus("failed");
        const { onLoadError } = latest.current;
        // biome-ignore lint/suspicious/noConsole: an integrator looks there first, as for every message of the script
        if (onLoadError === undefined) console.error(error.message);
        else onLoadError(error);
      },
    );
    return () => {
      isOver = true;
      instance?.destroy();
    };
  }, [token, hostedUrl, id, attempt]);

  return { containerProps: { id }, status, retry };
}

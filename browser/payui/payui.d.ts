/**
 * Types of `{hosted_url}/static/pay/js/payui.js` for pages written in TypeScript. Save this file into your project; the
 * global `SVC` is then known. The script itself comes from the gateway and is never bundled.
 */

/**
 * Any CSS colour or length that the payer's browser takes; fonts those of the payer's system. What it does not take is left
 * out and named in `ignored` of the `initialise` event.
 */
export type PayUIVariables = {
  readonly colorPrimary?: string;
  readonly colorText?: string;
  readonly colorBackground?: string;
  readonly colorDanger?: string;
  readonly colorBorder?: string;
  readonly fontFamily?: string;
  /** From 12px to 24px; others become the nearest. */
  readonly fontSizeBase?: string;
  readonly borderRadius?: string;
  /** Every distance is a multiple of it. From 2px to 12px; others become the nearest. A percentage is one of the text size. */
  readonly spacingUnit?: string;
};

export type PayUIConfig = {
  /** The one-time token that your server got from `POST /tokens`. */
  readonly token: string;
  /** The id of the element that receives the checkout. */
  readonly containerId: string;
  /** The version of the checkout: "1.0.0". */
  readonly version: string;
  /**
   * The payer's language, as a BCP 47 tag such as "zh-Hans". It takes precedence over the payment request's `locale`; without
   * both, the payer's browser decides. Languages that the gateway does not have become English.
   */
  readonly locale?: string;
  readonly ui?: {
    /** Without it the checkout follows the page's `color-scheme`, then the payer's system. */
    readonly theme?: "light" | "dark";
    readonly variables?: PayUIVariables;
  };
};

export type PayUICode = {
  readonly id: string;
  readonly message: string;
  /** One sentence that says what to do; for you, not for the payer. */
  readonly detail: string;
  /** Link to the code in the gateway's docs; missing only where the script does not know its origin. */
  readonly docs?: string;
  readonly field?: string;
};

/** `ok`: the form is there. `failed`: `codes` say why; a new token may be needed. */
export type PayUIInitialiseEvent = {
  readonly result: { readonly status: "ok" | "failed"; readonly codes?: readonly PayUICode[] };
  /** Keys of `ui.variables` that were left out, and `theme` or `locale` if that was; absent if there are none. */
  readonly ignored?: readonly string[];
};

/** The payer has entered a valid card number, or chosen a card in a wallet, and surcharging is on. */
export type PayUISurchargeUpdateEvent = {
  readonly result: { readonly status: "ok" };
  /** Whole cents. */
  readonly surcharge: number;
};

/** For display only: fulfil on the webhook or on `GET /paymentrequests/{id}`. After `pending` one more may follow. */
export type PayUIProcessEvent = {
  readonly result: {
    readonly status: "approved" | "declined" | "pending" | "failed";
    readonly codes?: readonly PayUICode[];
  };
  readonly transactionId?: string;
};

export type PayUIEvents = {
  readonly initialise: PayUIInitialiseEvent;
  readonly surchargeUpdate: PayUISurchargeUpdateEvent;
  readonly process: PayUIProcessEvent;
};

export type PayUIInstance = {
  readonly on: <Name extends keyof PayUIEvents>(
    name: Name,
    handler: (payload: PayUIEvents[Name]) => void,
  ) => void;
  /** Without a handler: all handlers of that event. */
  readonly off: <Name extends keyof PayUIEvents>(
    name: Name,
    handler?: (payload: PayUIEvents[Name]) => void,
  ) => void;
  /** Removes the checkout from the page. A payment that is being processed continues. */
  readonly destroy: () => void;
};

export type PayIDConfig = Omit<PayUIConfig, "token" | "version"> & {
  /** `payment.instrument.payId.token` of the payment request that your server created. It pays nothing. */
  readonly token: string;
};

export type PayID = {
  /**
   * Shows a PayID: its address, the amount, the time left and, as soon as it arrives, the payer's transfer. The events are
   * `initialise` and `process`: `approved` once the transfer has arrived, `failed` if the request has expired or was cancelled.
   * Never throws.
   */
  readonly show: (config: PayIDConfig) => PayUIInstance;
};

export type PayUI = {
  /** Never throws: problems with the configuration arrive as an `initialise` event and in the console. */
  readonly initialise: (config: PayUIConfig) => PayUIInstance;
};

declare global {
  interface Window {
    SVC: { readonly PayUI: PayUI; readonly PayID: PayID };
  }
  const SVC: { readonly PayUI: PayUI; readonly PayID: PayID };
}

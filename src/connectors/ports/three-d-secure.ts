import type { Cents, Currency } from "../../kernel/money.ts";
import type { Payer } from "./payer.ts";

/**
 * The issuer's answer in the letters of EMV 3DS: Y authenticated, A attempted, N not authenticated, U unavailable,
 * R rejected. C (challenge required) is a step, not an answer: `begin` and `authenticate` return it as `challenge`.
 */
export type AuthenticationData = {
  readonly status: "Y" | "A" | "N" | "U" | "R";
  /** The electronic commerce indicator: by it the scheme knows who bears the liability. */
  readonly eci?: string;
  /** The cryptogram of this one payment. It goes to the acquirer, and is neither stored nor logged. */
  readonly cavv?: string;
  readonly dsTransactionId?: string;
  /** The version of the protocol, such as `2.2.0`. */
  readonly version?: string;
};

/** The payer's browser, for the issuer's risk check. Without scripts only what its headers say is known. */
export type BrowserData = {
  readonly acceptHeader: string;
  readonly userAgent: string;
  readonly language: string;
  readonly ipAddress: string;
  readonly javaScriptEnabled: boolean;
  readonly javaEnabled?: boolean;
  readonly colourDepth?: number;
  readonly screenWidth?: number;
  readonly screenHeight?: number;
  /** Minutes between UTC and the payer's local time, as `Date.getTimezoneOffset` has them. */
  readonly timeZoneOffset?: number;
};

export type AuthenticationRequest = {
  /** Our transaction's id. The acquirer's `authorise` gets the same one. */
  readonly reference: string;
  readonly amount: Cents;
  /** On top of the amount: the payer approves the sum of both. */
  readonly surcharge: Cents;
  readonly currency: Currency;
  readonly card: {
    readonly number: string;
    readonly expiryMonth: number;
    readonly expiryYear: number;
    readonly name?: string;
  };
  readonly browser: BrowserData;
  /** The issuer compares both with what it knows. The browser's data has the network address. */
  readonly payer?: Pick<Payer, "email" | "address">;
  /** Our URL to which the issuer posts the end of the method step. Absent: nothing can run one, so it is skipped. */
  readonly methodNotificationUrl?: string;
  /** Our URL to which the issuer sends the payer, with the `cres`, after the challenge. */
  readonly challengeNotificationUrl: string;
  /** The challenge is in a frame of ours, or has the window to itself. */
  readonly challengeIn: "frame" | "window";
};

/**
 * Sends the payer's browser to a page of the issuer: with `fields` by a form post to an absolute URL, without by a redirect
 * to a path below the hosted origin: without scripts it follows a form post, and the page's policy blocks other origins.
 */
export type Handover = { readonly url: string; readonly fields?: Readonly<Record<string, string>> };

type Stateful = {
  /** What the connector wants back in the next step. The payer's browser keeps it, sealed; at most 2,000 characters. */
  readonly state?: string;
};

/** The issuer's page looks at the browser in a hidden frame, for at most `METHOD_SECONDS`. */
export type MethodStep = { readonly kind: "method"; readonly handover: Handover } & Stateful;
/** The payer answers the issuer on a page of its own. */
export type ChallengeStep = { readonly kind: "challenge"; readonly handover: Handover } & Stateful;
export type DoneStep = { readonly kind: "done"; readonly data: AuthenticationData };

/** How long a browser runs the method step, by the protocol. */
export const METHOD_SECONDS = 10;

/** Y: the method step was completed in time. N: it was not. U: there was none. */
export type MethodCompletion = "Y" | "N" | "U";

/**
 * Authenticates payers as EMV 3DS does: begin, an optional method step, then an answer or a challenge. The result comes
 * from here and never from a browser. A repeated call with the same reference gets the same answer. An error or a timeout
 * counts as `U`, because no call moves money; the signal aborts when nothing waits for the answer any more.
 *
 * An acquirer whose own API authenticates can serve this port. For Adyen: `begin` is `/payments` with `authenticationOnly`;
 * its action `fingerprint` is the method step and `challenge` the challenge (both carry what a handover needs, and
 * `paymentData` is the `state`); `authenticate` and `resultOf` are `/payments/details` with the completion or the `cres`, and
 * their `threeDS2Result` is the data. Its `authorise` then sends the data as `mpiData`. A host that cannot separate the
 * two holds its last call back: `resultOf` answers from the `cres` alone, and `authorise`, which has the same reference,
 * makes the call. Until `authorise` no money may move.
 */
export type ThreeDSecure = {
  readonly begin: (
    request: AuthenticationRequest,
    signal: AbortSignal,
  ) => Promise<MethodStep | ChallengeStep | DoneStep>;
  /** After the method step. */
  readonly authenticate: (
    request: AuthenticationRequest,
    method: { readonly completion: MethodCompletion } & Stateful,
    signal: AbortSignal,
  ) => Promise<ChallengeStep | DoneStep>;
  /** The outcome of the challenge; `open` until the payer has answered it. `cres` is unverified: a browser passed it on. */
  readonly resultOf: (
    reference: string,
    challenge: { readonly cres?: string } & Stateful,
    signal: AbortSignal,
  ) => Promise<AuthenticationData | "open">;
};

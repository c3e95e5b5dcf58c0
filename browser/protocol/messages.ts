import { type EventName, type EventPayload, isEventName, isEventPayload } from "./client-events.ts";
import { isObject } from "./is-object.ts";

/**
 * All messages between loader and frame. Each side reads with these functions and ignores unknown messages. No message
 * has a field for card data.
 */

/** The page's theme settings. The frame checks them again: a message can come from any page. */
export type UiOptions = {
  readonly theme?: unknown;
  readonly variables?: unknown;
  /** A `PageTheme`. */
  readonly pageTheme?: unknown;
};

/** The page's own colour scheme, which applies without `theme`. Both: it follows the payer's system. */
export type PageTheme = "light" | "dark" | "light dark";

/** Frame to parent, by window message, until connected. Contains nothing secret, since any page can receive it. */
export type Hello = { readonly tidegate: "hello"; readonly version: string };

/** Loader to frame, by window message, for each hello, with the port for all further messages. */
export type Connect = {
  readonly tidegate: "connect";
  readonly version: string;
  readonly token: string;
  readonly ui: UiOptions;
  /** The language that the page chose for its payer. The gateway checks it again. */
  readonly locale?: string | undefined;
};

/** Frame to loader, by the port. */
export type FrameMessage =
  | { readonly type: "height"; readonly height: number }
  /** The name of the frame for assistive technology, in the payer's language. */
  | { readonly type: "title"; readonly title: string }
  | { readonly type: "event"; readonly name: EventName; readonly payload: EventPayload }
  /** The payer wants to start again, which takes a new token. */
  | { readonly type: "reload" }
  /** Names of the wallets that the payment request names and this page may not offer. */
  | { readonly type: "withheld"; readonly wallets: string };

/** Loader to frame, by the port. */
export type LoaderMessage = { readonly type: "destroy" };

/** From the page to which a bank returns, to the checkout's frame: the step is done. It says nothing about its outcome. */
export type BankDone = { readonly step: BankStepName; readonly cres: string | undefined };
export type BankStepName = "method" | "challenge";

const MAX_HEIGHT = 20_000;

export function isHello(data: unknown): data is Hello {
  return isObject(data) && data["tidegate"] === "hello" && typeof data["version"] === "string";
}

export function readConnect(data: unknown): Connect | undefined {
  if (!isObject(data) || data["tidegate"] !== "connect") return undefined;
  const { version, token, ui, locale } = data;
  if (typeof version !== "string" || typeof token !== "string") return undefined;
  return {
    tidegate: "connect",
    version,
    token,
    ui: isObject(ui) ? ui : {},
    ...(typeof locale === "string" && { locale }),
  };
}

export function readFrameMessage(data: unknown): FrameMessage | undefined {
  if (!isObject(data)) return undefined;
  const { type, height, name, payload, wallets, title } = data;
  if (type === "height" && typeof height === "number" && height >= 0 && height <= MAX_HEIGHT) {
    return { type, height: Math.ceil(height) };
  }
  if (type === "title" && typeof title === "string") return { type, title };
  if (type === "reload") return { type };
  if (type === "withheld" && typeof wallets === "string") return { type, wallets };
  if (type === "event" && isEventName(name) && isEventPayload(payload)) return { type, name, payload };
  return undefined;
}

export function isDestroy(data: unknown): data is LoaderMessage {
  return isObject(data) && data["type"] === "destroy";
}

export function readBankDone(data: unknown): BankDone | undefined {
  if (!isObject(data)) return undefined;
  const { tidegate, cres } = data;
  if (tidegate === "method-done") return { step: "method", cres: undefined };
  if (tidegate !== "challenge-done") return undefined;
  return { step: "challenge", cres: typeof cres === "string" && cres !== "" ? cres : undefined };
}

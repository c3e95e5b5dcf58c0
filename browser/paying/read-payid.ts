import type { PayIdWords } from "../../src/kernel/languages/catalogue.ts";
import type { ResultCode } from "../protocol/client-events.ts";
import { isObject } from "../protocol/is-object.ts";
import type { PayIdDetails, PayIdState } from "../ui/payid-panel.ts";

/** Our own server sends these; what is missing would be of another release. */

export type Language = {
  readonly tag: string;
  readonly direction: string;
  readonly words: PayIdWords;
};

export type WatchedState = PayIdState & {
  readonly transactionId?: string;
  readonly codes?: readonly ResultCode[];
};

export type OpenedPayId = PayIdDetails & WatchedState;

export function readLanguage(sent: unknown): Language | undefined {
  return isObject(sent) && isObject(sent["words"]) ? (sent as Language) : undefined;
}

export function readState(sent: unknown): WatchedState | undefined {
  const isState =
    isObject(sent) && typeof sent["state"] === "string" && typeof sent["secondsLeft"] === "number";
  return isState ? (sent as WatchedState) : undefined;
}

export function readOpened(sent: unknown): OpenedPayId | undefined {
  const isOpened = isObject(sent) && typeof sent["session"] === "string" && typeof sent["payId"] === "string";
  return isOpened && readState(sent) !== undefined ? (sent as OpenedPayId) : undefined;
}

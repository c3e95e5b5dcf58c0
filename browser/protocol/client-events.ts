import { isObject } from "./is-object.ts";

/** Events that a merchant's page can listen to. */
export const EVENT_NAMES = ["initialise", "surchargeUpdate", "process"] as const;
export type EventName = (typeof EVENT_NAMES)[number];

export type ResultCode = {
  readonly id: string;
  readonly message: string;
  readonly detail: string;
  readonly docs?: string;
  readonly field?: string;
};
export type EventResult = { readonly status: string; readonly codes?: readonly ResultCode[] };

export type EventPayload = {
  readonly result: EventResult;
  /** Cents; with `surchargeUpdate` only. */
  readonly surcharge?: number;
  /** With `process` only. */
  readonly transactionId?: string;
  /** Keys of `ui` that were left out; with `initialise` only, and never empty. */
  readonly ignored?: readonly string[];
};

export function isEventName(name: unknown): name is EventName {
  return EVENT_NAMES.some((known) => known === name);
}

export function isEventPayload(payload: unknown): payload is EventPayload {
  return isObject(payload) && isObject(payload["result"]) && typeof payload["result"]["status"] === "string";
}

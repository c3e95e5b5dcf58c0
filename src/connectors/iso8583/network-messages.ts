import type { IsoMessage } from "./dialect.ts";
import { answerType, type Exchange } from "./in-flight.ts";
import { NETWORK_CODES, type NetworkCode } from "./messages.ts";

/** Network messages that a host begins: requests, advices, and their repeats. */
const FROM_HOST = /^08[02][01]$/;
const CUTOVER = "201";
/** The values of field 70 that the gateway can follow. It has no keys to exchange. */
const FOLLOWED: readonly (string | undefined)[] = [...Object.values(NETWORK_CODES), CUTOVER];
const DONE = "00";
const INVALID_TRANSACTION = "12";

export function isFromHost({ type }: IsoMessage): boolean {
  return FROM_HOST.test(type);
}

/** The answer to a host's network message, and what the message means for the link. */
export function answerToHost({ type, fields }: IsoMessage) {
  const isFollowed = FOLLOWED.includes(fields[70]);
  return {
    answer: {
      type: answerType(type),
      fields: { ...fields, 39: isFollowed ? DONE : INVALID_TRANSACTION },
    },
    isFollowed,
    isSignOff: fields[70] === NETWORK_CODES["sign-off"],
  };
}

/** Why the host did not do what a network message asked for; undefined if it did. */
export function networkProblem(code: NetworkCode, exchange: Exchange): string | undefined {
  if (exchange.kind !== "answered") return `${code} failed: ${exchange.reason}`;
  const response = exchange.answer.fields[39] ?? "none";
  return response === DONE ? undefined : `${code} refused with response code ${response}`;
}

import assert from "node:assert/strict";
import type { Answer } from "../calls.ts";
import {
  answerChallenge,
  ok,
  openFrame,
  type PayOverrides,
  type RequestOverrides,
  type Shop,
} from "../checkout.ts";
import type { Receiver } from "../receiver.ts";
import type { Stored } from "../stored-cards.ts";
import type { Answered, Kind } from "./answered.ts";

/** Where a node listens. */
export type LoadNode = Pick<Shop, "baseUrl" | "hostedUrl">;

/** A merchant of the load, with an endpoint for every event. */
export type LoadMerchant = { readonly id: string; readonly key: string; readonly receiver: Receiver };

/** One payer or caller after the other, who use a merchant at any of the nodes. */
export type Lane = {
  /** The merchant at one of the nodes. */
  readonly at: () => Shop;
  /** A merchant that only this lane uses, so that its clock can move by days. */
  readonly ahead?: (() => Shop) | undefined;
  readonly random: () => number;
  readonly counts: Answered["counts"];
  /** Notes what a gateway has answered as done. */
  readonly done: (kind: Kind, id: string) => void;
  readonly name: string;
  card?: Stored | undefined;
  account?: Stored | undefined;
};

/** Without an answer, the caller does not know whether its call happened. */
export class Interrupted extends Error {}

/** A broken connection, or 503: the caller knows that its call may not have happened. */
export function isInterruption(error: unknown): boolean {
  if (error instanceof Interrupted) return true;
  if (error instanceof assert.AssertionError) return error.actual === 503;
  return error instanceof TypeError && /fetch failed|terminated|other side closed/.test(error.message);
}

/** The statuses of an answer that a step allows; 503 interrupts the step. */
export function allow(answer: Answer, ...statuses: readonly number[]): Answer {
  if (answer.status === 503) throw new Interrupted();
  assert.ok(statuses.includes(answer.status), `${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}

/** Calls at the same moment. The answer to an interrupted one is undefined; a wrong answer throws. */
export async function atOnce(
  calls: readonly Promise<Answer>[],
  ...statuses: readonly number[]
): Promise<readonly (Answer | undefined)[]> {
  const settled = await Promise.allSettled(calls);
  return settled.map((one) => {
    try {
      if (one.status === "rejected") throw one.reason;
      return allow(one.value, ...statuses);
    } catch (error) {
      if (!isInterruption(error)) throw error;
      return undefined;
    }
  });
}

/** The answers with status 200. */
export function successes(answers: readonly (Answer | undefined)[]): readonly Answer[] {
  return answers.filter((answer) => answer?.status === 200) as readonly Answer[];
}

/** Pays in a frame, sometimes with a double click at two nodes; returns the approved transaction. */
export async function payByCard(
  { at, random, counts, done }: Pick<Lane, "at" | "random" | "counts" | "done">,
  options: RequestOverrides,
  pay: PayOverrides = {},
): Promise<string | undefined> {
  const frame = await openFrame(at(), options);
  const presses = random() < 0.3 ? [1, 2] : [1];
  const answers = await atOnce(
    presses.map(() => frame.at(at()).pay(pay)),
    200,
    409,
  );
  const paid = successes(answers);
  assert.ok(paid.length <= 1, "two payments of one session were accepted");
  if (paid[0] === undefined) {
    assert.ok(answers.includes(undefined), `no payment was accepted: ${JSON.stringify(answers[0]?.body)}`);
    throw new Interrupted();
  }
  counts.payments += 1;
  let { body } = paid[0];
  const isChallenged = body.state === "challenge";
  if (isChallenged) {
    ok(await answerChallenge(at(), body.challenge.url, random() < 0.8 ? "approve" : "fail"));
    body = allow(await frame.at(at()).continue(body.challenge.sealed), 200, 409).body;
  }
  if (body.state !== "approved") return undefined;
  done("card payments", body.transactionId);
  if (isChallenged) done("challenges", body.transactionId);
  return body.transactionId as string;
}

import assert from "node:assert/strict";
import type { Answer } from "./calls.ts";
import { advanceClock, callApi, type Shop } from "./checkout.ts";
import type { TestDatabase } from "./database.ts";
import { NO_LIMITS } from "./mixed-load.ts";
import { makeMerchant } from "./operator.ts";

/** A call that races; some are no calls of the API, such as the revocation of a key. */
export type Verb = (shop: Shop) => Promise<unknown>;

/** One trial: calls that conflict, and what must be true of their answers. */
export type Trial = {
  /** The verbs that race; each call is one of them in turn, at either node. */
  readonly verbs: readonly Verb[];
  /** Returns which side won where only one can. */
  readonly check: (answers: readonly (readonly Answer[])[]) => unknown;
};

export type Field = {
  readonly database: TestDatabase;
  /** The same merchant at both nodes. */
  readonly near: Shop;
  readonly far: Shop;
  /** A name that no other trial has. */
  readonly name: string;
};

export type Race = {
  readonly name: string;
  /** Many trials show each of them: a race that one side always wins shows nothing about the other. */
  readonly outcomes?: readonly string[];
  /** The rarest outcome comes in at least so many percent of many trials; where it is less than usual, the race says why. */
  readonly rarestPercent?: number;
  /** In each trial the calls of one verb, chosen at random, start up to this much later, so that each side wins some. */
  readonly lagMs?: number;
  readonly prepare: (field: Field) => Promise<Trial>;
};

/** For a race of which one side takes longer, and would hardly ever win. */
export const LAG_MS = 400;

export const MANUAL = { category: { captureType: "manual" } };

export const accepted = (answers: readonly Answer[] = []) => answers.filter(({ status }) => status === 200);

export function isAnswer(value: unknown): value is Answer {
  return typeof value === "object" && value !== null && "status" in value && "headers" in value;
}

/** Every answer is a success or a plain refusal. */
export function assertAnswers(answers: readonly Answer[]): void {
  for (const { status, body } of answers)
    assert.ok([200, 400, 401, 404, 409, 410, 422].includes(status), `${status} ${JSON.stringify(body)}`);
}

export function onlyOne(...kinds: readonly (readonly Answer[])[]): void {
  assert.equal(kinds.flatMap((answers) => accepted(answers)).length, 1, "exactly one call succeeds");
}

export const post = (path: string, body?: unknown) => (shop: Shop) => callApi(shop, "POST", path, body);

/** A trial's own merchant: its clock and its settlements are no other trial's. */
export async function ownMerchant({ database, near, far }: Field): Promise<{
  readonly id: string;
  readonly near: Shop;
  readonly far: Shop;
  /** The verb as a call of this merchant. */
  readonly of: <Result>(verb: (shop: Shop) => Promise<Result>) => (shop: Shop) => Promise<Result>;
}> {
  const { id, key } = await makeMerchant(database, "sandbox", "AU");
  await database.rows(`${NO_LIMITS} where id = $1`, [id]);
  return {
    id,
    near: { ...near, key },
    far: { ...far, key },
    of: (verb) => (shop) => verb({ ...shop, key }),
  };
}

/** The merchant's clock moves ahead. */
export const passes =
  (seconds: number): Verb =>
  (shop) =>
    advanceClock(shop, seconds);

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { CODES_BY_ID, type CodeId } from "../../../src/kernel/codes/catalogue.ts";
import type { PresentedCode } from "../../../src/kernel/codes/present-code.ts";
import { checkedCode } from "../../support/codes.ts";
import type { Answer, Call, TestGateway } from "../../support/gateway.ts";
import type { Body } from "./sample-requests.ts";

export type Expected = readonly [code: CodeId, field: string];

/** Counts of every row that a payment request writes. */
export async function writtenRows(gateway: TestGateway): Promise<Readonly<Record<string, number>>> {
  const [counts] = await gateway.database.rows<Record<string, number>>(
    `select (select count(*)::int from payment_requests) as requests, (select count(*)::int from events) as events,
       (select count(*)::int from jobs where subject_id like 'pr\\_%') as jobs, (select count(*)::int from idempotency_keys) as keys,
       (select count(*)::int from logos) as logos`,
  );
  return counts ?? {};
}

/** The counts after the last refusal, as long as nothing was created since. */
const lastCounts = new WeakMap<TestGateway, Awaited<ReturnType<typeof writtenRows>>>();

/** Sends the body with its own idempotency key, so that a refusal that uses up a key is noticed. */
export async function postRequest(gateway: TestGateway, body: Body, call: Call = {}): Promise<Answer> {
  const headers = { "x-idempotency-key": randomUUID() };
  const answer = await gateway.post("/paymentrequests", body, { headers, ...call });
  if (answer.status === 200) lastCounts.delete(gateway);
  return answer;
}

/** The request is created, and GET returns what POST returned. */
export async function assertAccepted(gateway: TestGateway, body: Body, call: Call = {}): Promise<Answer> {
  const answer = await postRequest(gateway, body, call);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.deepEqual(
    (await gateway.get(`/paymentrequests/${answer.body.id}`, pick(call))).body,
    answer.body,
    "GET returns the same",
  );
  return answer;
}

/** The request is refused with exactly these problems, and nothing is written. */
export async function assertRefused(
  gateway: TestGateway,
  body: Body,
  expected: readonly Expected[],
  { status = 400, mode = "sandbox", ...call }: Call & { status?: number; mode?: string } = {},
): Promise<Answer> {
  const before = lastCounts.get(gateway) ?? (await writtenRows(gateway));
  const answer = await postRequest(gateway, body, call);
  const seen =
    answer.body.result?.codes?.map(({ expected: _, given: __, reason: ___, ...code }: Body) =>
      checkedCode(code as PresentedCode),
    ) ?? [];
  const wanted = expected.map(([id, field]) => ({ id, message: CODES_BY_ID[id].message, field }));
  assert.deepEqual(inOrder(seen), inOrder(wanted));
  assert.equal(answer.status, status);
  assert.deepEqual({ ...answer.body.result, codes: [] }, { mode, status: "validation_error", codes: [] });
  assert.deepEqual(Object.keys(answer.body), ["result"]);
  const rows = await writtenRows(gateway);
  assert.deepEqual(rows, before, "nothing was written");
  lastCounts.set(gateway, rows);
  return answer;
}

/** Any refusal: catalogue codes with the HTTP status of the first, and no unexpected fields. */
export function assertErrorShape(answer: Answer, mode: string): void {
  const shown = JSON.stringify(answer.body);
  assert.ok(answer.status >= 400 && answer.status < 500, `${answer.status} ${shown}`);
  const { codes, ...result } = answer.body.result;
  assert.deepEqual(result, { mode, status: "validation_error" });
  assert.deepEqual(Object.keys(answer.body), ["result"]);
  assert.ok(Array.isArray(codes) && codes.length > 0, shown);
  for (const { id, message, field, ...more } of (codes as readonly ShownProblem[]).map(checkedCode)) {
    assert.ok(Object.hasOwn(CODES_BY_ID, id), shown);
    assert.equal(message, CODES_BY_ID[id as CodeId].message);
    assert.equal(CODES_BY_ID[id as CodeId].status, answer.status, shown);
    if (field !== undefined) assert.match(field, /^(\/|$)/);
    if (id !== "V11000") assert.equal(typeof field, "string", shown);
    if (id === "V11230") assert.ok(Number.isInteger(more.expected) && Number.isInteger(more.given), shown);
    else assert.deepEqual(more, {});
  }
}

type ShownProblem = PresentedCode & {
  readonly field?: string;
  readonly expected?: number;
  readonly given?: number;
};

/** Every value that was sent is in the response at its place; lists keep their length. */
export function assertEchoed(answer: unknown, sent: unknown, place = ""): void {
  if (typeof sent !== "object" || sent === null) {
    assert.equal(answer, sent, `echo at ${place}`);
    return;
  }
  assert.ok(typeof answer === "object" && answer !== null, `echo at ${place}`);
  if (Array.isArray(sent)) assert.equal((answer as Body).length, sent.length, `length of ${place}`);
  for (const [name, value] of Object.entries(sent)) {
    assertEchoed((answer as Body)[name], value, `${place}/${name}`);
  }
}

function pick({ key }: Call): Call {
  return key === undefined ? {} : { key };
}

function inOrder(codes: readonly Body[]): readonly Body[] {
  const place = (code: Body) => `${code.field} ${code.id}`;
  return [...codes].sort((one, other) =>
    place(one) < place(other) ? -1 : place(one) > place(other) ? 1 : 0,
  );
}

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { lifecycle, STATUSES, type Status } from "../../../src/features/payment-requests/payment-request.ts";
import { type Instant, instant, MINUTE } from "../../../src/kernel/time.ts";
import { shownCode } from "../../support/codes.ts";
import { eventually } from "../../support/eventually.ts";
import { type Answer, startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { assertAccepted } from "./request-assertions.ts";
import { type Body, CHECKOUT, HOSTED, payIdRequest } from "./sample-requests.ts";

let now: Instant = instant(Date.parse("2026-02-10T01:00:00.000Z"));
let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway({ environment: { TIDEGATE_RATE_LIMIT: "0" }, now: () => now });
});
after(() => gateway.stop());

const advance = (ms: number) => {
  now = instant(now + ms);
};
const inMs = (ms: number) => new Date(now + ms).toISOString();
const shortLived = () => ({ ...CHECKOUT, expiryDateTime: inMs(MINUTE) });
const create = async (body: Body = CHECKOUT) => (await assertAccepted(gateway, body)).body;
const cancel = (id: string, key?: string) =>
  gateway.post(`/paymentrequests/${id}/cancel`, undefined, key === undefined ? {} : { key });
const read = async (id: string) => (await gateway.get(`/paymentrequests/${id}`)).body;
const eventsOf = async (id: string) => (await gateway.get(`/events?resourceid=${id}`)).body.events;
const statusesOf = async (id: string) =>
  (await eventsOf(id)).map((event: Body) => event.payload.paymentRequestStatus);

function assertRefusal(answer: Answer, status: number, id: string, message: string): void {
  assert.equal(answer.status, status);
  assert.deepEqual(answer.body, {
    result: {
      mode: "sandbox",
      status: "validation_error",
      codes: [shownCode(`${id} ${message}`, gateway.baseUrl)],
    },
  });
}
const assertConflict = (answer: Answer) =>
  assertRefusal(answer, 409, "V11190", "payment_request_state_conflict");
const assertMissing = (answer: Answer) => assertRefusal(answer, 404, "V11010", "resource_not_found");

/** The stored status, without a read of the request. */
const storedStatus = async (id: string) => {
  const [row] = await gateway.database.rows<{ status: string }>(
    "select status from payment_requests where id = $1",
    [id],
  );
  return row?.status;
};

describe("contract 3: a merchant cancels a payment request", () => {
  for (const [flow, body] of [
    ["checkout", () => CHECKOUT],
    ["hosted page", () => HOSTED],
    ["PayID", payIdRequest],
  ] as const) {
    test(`${flow}: is cancelled with one event, and nothing else changes`, async () => {
      const made = await create(body());
      advance(5);
      const answer = await cancel(made.id);
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.body, {
        ...made,
        paymentRequestStatus: "cancelled",
        updatedDateTime: inMs(0),
      });
      assert.deepEqual(await read(made.id), answer.body);
      assert.deepEqual(await statusesOf(made.id), ["cancelled", "created"]);
    });
  }

  test("a second cancellation is refused and changes nothing", async () => {
    const made = await create();
    const first = await cancel(made.id);
    assertConflict(await cancel(made.id));
    assert.deepEqual(await read(made.id), first.body);
    assert.equal((await eventsOf(made.id)).length, 2);
  });

  test("an empty object is accepted as the body, any field is refused", async () => {
    const path = `/paymentrequests/${(await create()).id}/cancel`;
    const refused = await gateway.post(path, { reason: "x" });
    assert.equal(refused.status, 400);
    assert.equal(refused.body.result.codes[0].field, "/reason");
    assert.equal((await gateway.post(path, {})).status, 200);
  });

  for (const [what, id] of [
    ["an unknown id", "pr_01k0000000000aaaaaaaaaaaaaaaa"],
    ["a text that is not an id", "nonsense"],
    ["an id of another resource", "evt_01k0000000000aaaaaaaaaaaaaaaa"],
    ["an id with a NUL", "pr_%00"],
    ["a very long text", "x".repeat(190)],
  ] as const) {
    test(`${what} is 404, for GET too`, async () => {
      assertMissing(await cancel(id));
      assertMissing(await gateway.get(`/paymentrequests/${id}`));
    });
  }

  test("another merchant's request is 404 and stays unchanged", async () => {
    const { key } = await gateway.newMerchant();
    const made = await create();
    assertMissing(await cancel(made.id, key));
    assertMissing(await gateway.get(`/paymentrequests/${made.id}`, { key }));
    assert.deepEqual(await read(made.id), made);
    assert.equal((await eventsOf(made.id)).length, 1);
    assert.equal((await cancel(made.id)).status, 200);
  });

  test("the id is case-sensitive, the path is not", async () => {
    const made = await create();
    assertMissing(await cancel(made.id.toUpperCase()));
    assert.equal((await gateway.post(`/PaymentRequests/${made.id}/CANCEL`)).status, 200);
  });

  test("of 20 concurrent cancellations one succeeds, with one event", async () => {
    const made = await create();
    const answers = await Promise.all(Array.from({ length: 20 }, () => cancel(made.id)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    const refused = answers.filter(({ status }) => status !== 200);
    assert.equal(refused.length, 19);
    refused.forEach(assertConflict);
    assert.deepEqual(await statusesOf(made.id), ["cancelled", "created"]);
  });
});

describe("spec 3: a payment request expires at its expiry time", () => {
  test("the worker expires an unread request with one event", async () => {
    const made = await create(shortLived());
    advance(MINUTE - 1);
    assert.equal(await storedStatus(made.id), "created");
    advance(1);
    await eventually("the request is expired", async () => (await storedStatus(made.id)) === "expired");
    assert.deepEqual(await statusesOf(made.id), ["expired", "created"]);
    const expired = await read(made.id);
    const { paymentRequestStatus: _, updatedDateTime: __, ...rest } = made;
    assert.deepEqual(expired, {
      ...rest,
      paymentRequestStatus: "expired",
      updatedDateTime: expired.updatedDateTime,
    });
    assert.ok(expired.updatedDateTime >= made.expiryDateTime);
    assert.deepEqual((await eventsOf(made.id))[0].payload, expired);
  });

  test("no job remains afterwards", async () => {
    const made = await create(shortLived());
    advance(MINUTE);
    await eventually("no job remains", async () => {
      const jobs = await gateway.database.rows("select 1 from jobs where subject_id = $1", [made.id]);
      return jobs.length === 0;
    });
    assert.equal(await storedStatus(made.id), "expired");
  });

  test("a cancelled request stays cancelled at its expiry time", async () => {
    const made = await create(shortLived());
    const { body } = await cancel(made.id);
    advance(MINUTE);
    await eventually("the job is removed", async () => {
      const jobs = await gateway.database.rows("select 1 from jobs where subject_id = $1", [made.id]);
      return jobs.length === 0;
    });
    assert.deepEqual(await read(made.id), body);
    assert.equal((await eventsOf(made.id)).length, 2);
  });

  test("an expired request cannot be cancelled", async () => {
    const made = await create(shortLived());
    advance(MINUTE);
    assertConflict(await cancel(made.id));
    assert.equal((await read(made.id)).paymentRequestStatus, "expired");
    assertConflict(await cancel(made.id));
    assert.deepEqual(await statusesOf(made.id), ["expired", "created"]);
  });

  test("the worker expires many requests at once with one event each", async () => {
    const made = await Promise.all(
      Array.from({ length: 150 }, () => gateway.post("/paymentrequests", shortLived())),
    );
    advance(MINUTE);
    const ids = made.map(({ body }) => body.id);
    await eventually("all are expired", async () => {
      const [row] = await gateway.database.rows<{ open: number }>(
        "select count(*)::int as open from payment_requests where id = any ($1) and status = 'created'",
        [ids],
      );
      return row?.open === 0;
    });
    const counts = await gateway.database.rows(
      "select resource_id from events where resource_id = any ($1) group by 1 having count(*) <> 2",
      [ids],
    );
    assert.deepEqual(counts, []);
  });
});

describe("spec 3: cancellation concurrent with expiry", () => {
  test("every request ends in one of the two states, and the response says which", async () => {
    const made = await Promise.all(
      Array.from({ length: 60 }, () => gateway.post("/paymentrequests", shortLived())),
    );
    advance(MINUTE - 1);
    const ids: string[] = made.map(({ body }) => body.id);
    let answered = 0;
    const answers = await Promise.all(
      ids.map(async (id) => {
        const answer = await cancel(id);
        answered += 1;
        // Midway all requests expire and the worker wakes up.
        if (answered === 10) advance(1);
        return answer;
      }),
    );
    const outcomes = new Set<string>();
    for (const [index, id] of ids.entries()) {
      const answer = answers[index];
      const request = await read(id);
      outcomes.add(request.paymentRequestStatus);
      if (answer?.status === 200) assert.deepEqual(request, answer.body);
      else assertConflict(answer as Answer);
      assert.equal(request.paymentRequestStatus, answer?.status === 200 ? "cancelled" : "expired");
      assert.equal((await eventsOf(id)).length, 2);
    }
    assert.deepEqual([...outcomes].sort(), ["cancelled", "expired"]);
  });
});

describe("contract 2: updatedDateTime grows strictly with every change", () => {
  test("even when the clock stands still", async () => {
    const made = await create();
    assert.equal(made.updatedDateTime, made.createdDateTime);
    const { body } = await cancel(made.id);
    assert.equal(Date.parse(body.updatedDateTime), Date.parse(made.updatedDateTime) + 1);
    assert.equal(body.createdDateTime, made.createdDateTime);
  });

  test("even when the clock steps back", async () => {
    const made = await create();
    advance(-10_000);
    const { body } = await cancel(made.id);
    advance(10_000);
    assert.ok(body.updatedDateTime > made.updatedDateTime);
  });
});

describe("spec 3: completed, expired and cancelled are final", () => {
  test("the lifecycle table matches the specification", () => {
    assert.deepEqual(lifecycle, {
      created: { approve: "completed", exhaustAttempts: "completed", expire: "expired", cancel: "cancelled" },
      completed: {},
      expired: {},
      cancelled: {},
    });
  });

  test("the database allows the same states", async () => {
    const [row] = await gateway.database.rows<{ rule: string }>(
      `select pg_get_constraintdef(oid) as rule from pg_constraint
       where conrelid = 'payment_requests'::regclass and conname = 'payment_requests_status_check'`,
    );
    const named = [...(row?.rule ?? "").matchAll(/'(\w+)'/g)].map((match) => match[1]);
    assert.deepEqual(named, [...STATUSES]);
  });

  const inDatabase = async (from: Status, to: string) => {
    const { id } = await create();
    await gateway.database.rows("update payment_requests set status = $2 where id = $1", [id, from]);
    return gateway.database.rows("update payment_requests set status = $2 where id = $1", [id, to]);
  };
  for (const from of STATUSES) {
    const reachable: readonly string[] = [from, ...Object.values(lifecycle[from])];
    for (const to of STATUSES) {
      if (reachable.includes(to)) {
        test(`${from} to ${to}: the database allows it`, async () => {
          await inDatabase(from, to);
        });
      } else {
        test(`${from} to ${to}: the database refuses it`, async () => {
          await assert.rejects(inDatabase(from, to), /for good/);
        });
      }
    }
  }

  test("the database refuses an unknown state", async () => {
    await assert.rejects(inDatabase("created", "paid"), /payment_requests_status_check/);
  });
});

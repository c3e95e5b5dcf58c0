import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertRefused } from "../../support/answers.ts";
import { type Answer, startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { assertInvariantsAndStop } from "../../support/invariants.ts";
import { readPages } from "../../support/pages.ts";

let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway();
});
after(() => assertInvariantsAndStop(gateway));

const ANN = { name: "Ann Lee", email: "ann@example.com" };

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape.
const create = async (body: object = ANN, key?: string): Promise<any> => {
  const answer = await gateway.post("/customers", body, key === undefined ? {} : { key });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
};
const change = async (id: string, body: object) => gateway.put(`/customers/${id}`, body);
const read = async (id: string) => (await gateway.get(`/customers/${id}`)).body;
/** Oldest first. */
const eventsOf = async (id: string) =>
  (await gateway.get(`/events?resourceid=${id}&limit=100`)).body.events.toReversed();
const timeOf = ({ body }: Answer): string => body.updatedDateTime;
const rowsOf = async () =>
  (
    await gateway.database.rows(
      `select (select count(*) from customers) as customers, (select count(*) from events) as events,
         (select count(*) from idempotency_keys) as keys`,
    )
  )[0];

describe("spec 2.7: a customer", () => {
  test("is returned with a masked e-mail address, and GET returns the same", async () => {
    const made = await create();
    assert.match(made.id, /^cus_[0-9a-z]{29}$/);
    assert.deepEqual(made, {
      id: made.id,
      reference: made.id,
      name: "Ann Lee",
      email: "aXXXXXXXXXX@example.com",
      createdDateTime: made.createdDateTime,
      updatedDateTime: made.createdDateTime,
      count: 0,
      paymentInstruments: [],
      result: { mode: "sandbox", status: "ok" },
    });
    assert.match(made.createdDateTime, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual(await read(made.id), made);
  });

  test("keeps the reference that the merchant sets", async () => {
    assert.equal((await create({ ...ANN, reference: "member-1" })).reference, "member-1");
  });

  for (const [email, masked] of [
    ["a@b.example", "aXXXXXXXXXX@b.example"],
    ["someone.with.a.long.name@mail.shop.example", "sXXXXXXXXXX@mail.shop.example"],
    ["'@x.example", "'XXXXXXXXXX@x.example"],
  ] as const) {
    test(`${email} is shown as ${masked}, whatever its length`, async () => {
      assert.equal((await create({ ...ANN, email })).email, masked);
    });
  }

  test("shows the mode of its merchant", async () => {
    const { key } = await gateway.newMerchant({ mode: "live" });
    assert.equal((await create(ANN, key)).result.mode, "live");
  });

  test("uses the merchant's clock", async () => {
    const { key } = await gateway.newMerchant();
    const before = await create(ANN, key);
    await gateway.post("/sandbox/clock/advance", { seconds: 86_400 }, { key });
    const day = Date.parse((await create(ANN, key)).createdDateTime) - Date.parse(before.createdDateTime);
    assert.ok(day >= 86_400_000 && day < 86_460_000);
  });
});

/** The longest valid address: 254 characters. */
const LONGEST = `${"x".repeat(64)}@${"d".repeat(63)}.${"e".repeat(63)}.${"f".repeat(61)}`;

/** Every field at both sides of its limits. */
const FIELDS = [
  {
    field: "name",
    code: "V11800",
    accepts: ["A", "é".repeat(100), "🌊".repeat(100), "<b>'\"&"],
    refuses: [
      "",
      " ",
      "\u00a0\u200b\u3000",
      "x".repeat(101),
      `${"🌊".repeat(100)}x`,
      "a\nb",
      "a\u0000b",
      "\ud800",
      1,
      null,
      true,
      [],
      {},
    ],
  },
  {
    field: "email",
    code: "V11801",
    accepts: ["a@b.example", "a+b@c.example", LONGEST],
    refuses: [
      "",
      "a",
      "@b.example",
      "a@b",
      "a b@c.example",
      "a@b.example ",
      `${LONGEST}f`,
      "a@b..example",
      1,
      null,
      [],
      {},
    ],
  },
  {
    field: "reference",
    code: "V10004",
    accepts: ["r", "🌊".repeat(64)],
    refuses: ["", "x".repeat(65), "a\tb", 1, null, [], {}],
  },
] as const;

describe("contract 6: the fields of a customer", () => {
  for (const { field, code, accepts, refuses } of FIELDS) {
    test(`${field}: accepts valid values on creation and on change`, async () => {
      for (const value of accepts) {
        const made = await create({ ...ANN, [field]: value });
        if (field !== "email") assert.equal(made[field], value);
        const other = await create();
        const changed = await change(other.id, { [field]: value });
        assert.equal(changed.status, 200, JSON.stringify(changed.body));
        assert.deepEqual(changed.body[field], made[field]);
      }
    });

    test(`${field}: refuses invalid values with ${code} and stores nothing`, async () => {
      const { id } = await create();
      const before = await rowsOf();
      for (const value of refuses) {
        const headers = { "x-idempotency-key": `free-${field}` };
        const body = { ...ANN, [field]: value };
        assertRefused(await gateway.post("/customers", body, { headers }), 400, [code, `/${field}`]);
        const put = { [field]: value };
        assertRefused(await gateway.put(`/customers/${id}`, put, { headers }), 400, [code, `/${field}`]);
      }
      assert.deepEqual(await rowsOf(), before);
    });
  }

  test("requires name and email on creation, and returns every problem at once", async () => {
    assertRefused(await gateway.post("/customers", {}), 400, ["V11800", "/name"], ["V11801", "/email"]);
    const body = { name: "", reference: "", surname: "Lee" };
    const codes = (await gateway.post("/customers", body)).body.result.codes;
    assert.deepEqual(codes.map((one: { id: string; field: string }) => `${one.id} ${one.field}`).toSorted(), [
      "V10004 /reference",
      "V11003 /surname",
      "V11800 /name",
      "V11801 /email",
    ]);
  });

  for (const field of ["id", "count", "paymentInstruments", "createdDateTime", "result"]) {
    test(`refuses ${field}, which only the gateway sets`, async () => {
      const { id } = await create();
      assertRefused(await gateway.post("/customers", { ...ANN, [field]: "x" }), 400, ["V11003", `/${field}`]);
      assertRefused(await change(id, { [field]: "x" }), 400, ["V11003", `/${field}`]);
    });
  }

  test("refuses a missing body", async () => {
    assertRefused(await gateway.post("/customers"), 400, ["V11005", ""]);
    const { id } = await create();
    assertRefused(await gateway.put(`/customers/${id}`), 400, ["V11005", ""]);
  });
});

describe("contract 6, 7: changing a customer", () => {
  test("accepts any subset of fields and keeps the rest", async () => {
    const made = await create({ ...ANN, reference: "one" });
    const named = (await change(made.id, { name: "Ann Park" })).body;
    assert.deepEqual(named, { ...made, name: "Ann Park", updatedDateTime: named.updatedDateTime });
    assert.ok(named.updatedDateTime > made.updatedDateTime);
    const mailed = (await change(made.id, { email: "park@shop.example", reference: "two" })).body;
    assert.deepEqual(mailed, {
      ...named,
      email: "pXXXXXXXXXX@shop.example",
      reference: "two",
      updatedDateTime: mailed.updatedDateTime,
    });
    assert.ok(mailed.updatedDateTime > named.updatedDateTime);
    assert.deepEqual(await read(made.id), mailed);
  });

  test("publishes one event with the customer at that time, and so does the creation", async () => {
    const made = await create({ ...ANN, reference: "one" });
    const changed = (await change(made.id, { reference: "two" })).body;
    const events = await eventsOf(made.id);
    assert.deepEqual(
      events.map((event: { payload: object }) => event.payload),
      [made, changed],
    );
    assert.deepEqual(
      events.map((event: { event: string; reference: string }) => [event.event, event.reference]),
      [
        ["customers", "one"],
        ["customers", "two"],
      ],
    );
  });

  test("without an effect returns the customer, publishes no event and keeps updatedDateTime", async () => {
    const made = await create({ ...ANN, reference: "same" });
    for (const body of [{}, { name: ANN.name }, { ...ANN, reference: "same" }]) {
      const answer = await change(made.id, body);
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.body, made);
    }
    assert.equal((await eventsOf(made.id)).length, 1);
  });

  test("to an e-mail address with the same masked form is still a change", async () => {
    const made = await create();
    const changed = (await change(made.id, { email: "amy@example.com" })).body;
    assert.equal(changed.email, made.email);
    assert.ok(changed.updatedDateTime > made.updatedDateTime);
    assert.equal((await eventsOf(made.id)).length, 2);
  });

  test("a hundred concurrent changes publish one event each, with strictly increasing updatedDateTime", async () => {
    const made = await create();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, nth) => change(made.id, { name: `Ann the ${nth}th` })),
    );
    for (const { status } of answers) assert.equal(status, 200);
    const [, ...events] = (
      await gateway.database.rows<{ payload: Payload }>(
        "select body::json -> 'payload' as payload from events where resource_id = $1 order by id",
        [made.id],
      )
    ).map(({ payload }) => payload);
    type Payload = { name: string; updatedDateTime: string };
    assert.equal(events.length, 100);
    assert.equal(new Set(events.map(({ name }) => name)).size, 100);
    const times = events.map(({ updatedDateTime }) => updatedDateTime);
    assert.equal(new Set([made.updatedDateTime, ...times]).size, 101);
    assert.deepEqual(times.toSorted(), answers.map(timeOf).toSorted());
    const last = events
      .toSorted((one, other) => (one.updatedDateTime < other.updatedDateTime ? -1 : 1))
      .at(-1);
    assert.deepEqual(await read(made.id), last);
  });
});

describe("contract 2: idempotency of customers", () => {
  test("a key creates one customer; a repeat, even a concurrent one, returns its id", async () => {
    const headers = { "x-idempotency-key": "one-customer" };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => gateway.post("/customers", ANN, { headers })),
    );
    const made = answers.filter(({ status }) => status === 200);
    assert.equal(made.length, 1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      assert.equal(answer.status, 409);
      assert.equal(answer.body.result.codes[0].id, "V10018");
      assert.equal(answer.body.original.id, made[0]?.body.id);
      assert.equal(answer.body.original.location, `${gateway.baseUrl}/customers/${made[0]?.body.id}`);
    }
    assert.equal((await eventsOf(made[0]?.body.id)).length, 1);
  });

  test("a key changes a customer once, and a refusal does not use up the key", async () => {
    const { id } = await create();
    const headers = { "x-idempotency-key": "one-change" };
    const put = (body: object, customer = id) => gateway.put(`/customers/${customer}`, body, { headers });
    assert.equal((await put({ name: "" })).status, 400);
    assert.equal((await put({ name: "B" }, "cus_01k0000000000aaaaaaaaaaaaaaaa")).status, 404);
    assert.equal((await put({ name: "B" })).status, 200);
    const repeat = await put({ name: "C" });
    assert.equal(repeat.status, 409);
    assert.equal(repeat.body.original.id, id);
    assert.equal((await read(id)).name, "B");
  });
});

describe("contract 2: lists of customers", () => {
  test("are newest first, in pages, filtered by reference and time", async () => {
    const { key } = await gateway.newMerchant();
    const made: { id: string; createdDateTime: string }[] = [];
    for (const reference of ["a", "b", "a", "b", "a"]) {
      made.unshift(await create({ ...ANN, reference }, key));
      await gateway.post("/sandbox/clock/advance", { seconds: 1 }, { key });
    }
    const list = async (query = "") => (await gateway.get(`/customers${query}`, { key })).body;
    const all = await list();
    assert.deepEqual(all, {
      count: 5,
      customers: made,
      nextCursor: null,
      result: { mode: "sandbox", status: "ok" },
    });
    const pages = await readPages((cursor) => list(`?limit=2&reference=a${cursor}`));
    assert.deepEqual(
      pages.flatMap(({ customers }) => customers),
      [made[0], made[2], made[4]],
    );
    const range = `?createdFrom=${made[3]?.createdDateTime}&createdTo=${made[1]?.createdDateTime}`;
    assert.deepEqual((await list(range)).customers, [made[3], made[2]].toReversed());
    assert.deepEqual((await list("?reference=nothing")).customers, []);
  });

  test("refuse an invalid query", async () => {
    for (const [query, code, field] of [
      ["?email=a@b.example", "V11004", "/email"],
      ["?reference=", "V11025", "/reference"],
      ["?limit=0", "V11020", "/limit"],
      ["?limit=101", "V11020", "/limit"],
      ["?cursor=x", "V11021", "/cursor"],
    ] as const) {
      assertRefused(await gateway.get(`/customers${query}`), 400, [code, field]);
    }
  });
});

describe("I18: another merchant's customer is indistinguishable from an unknown one", () => {
  test("in every endpoint, and a call has no effect", async () => {
    const { key } = await gateway.newMerchant();
    const { id } = await create();
    const before = await rowsOf();
    const calls = (customer: string) => [
      gateway.get(`/customers/${customer}`, { key }),
      gateway.put(`/customers/${customer}`, { name: "Mine" }, { key }),
    ];
    for (const unknown of [
      id,
      "cus_01k0000000000aaaaaaaaaaaaaaaa",
      id.toUpperCase(),
      id.slice(0, -1),
      "x",
      "%00",
    ]) {
      for (const answer of await Promise.all(calls(unknown))) assertRefused(answer, 404, "V11010");
    }
    assert.deepEqual((await gateway.get("/customers", { key })).body.customers, []);
    assert.deepEqual(await rowsOf(), before);
    assert.equal((await read(id)).name, ANN.name);
  });

  test("paths are case-insensitive, ids are case-sensitive", async () => {
    const { id } = await create();
    assert.equal((await gateway.get(`/CUSTOMERS/${id}`)).status, 200);
    assert.equal((await gateway.get(`/customers/${id.toUpperCase()}`)).status, 404);
  });
});

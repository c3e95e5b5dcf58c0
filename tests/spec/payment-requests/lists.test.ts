import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CODES_BY_ID, type CodeId } from "../../../src/kernel/codes/catalogue.ts";
import { type Instant, instant } from "../../../src/kernel/time.ts";
import { shownCode } from "../../support/codes.ts";
import { type Answer, startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { readPages } from "../../support/pages.ts";
import { type Body, CHECKOUT, HOSTED, payIdRequest } from "./sample-requests.ts";

const START = Date.parse("2026-02-10T01:00:00.000Z");
let now: Instant = instant(START);
let gateway: TestGateway;
let key: string;
before(async () => {
  const environment = { TIDEGATE_ROLES: "api", TIDEGATE_RATE_LIMIT: "0" };
  gateway = await startTestGateway({ environment, now: () => now });
  key = (await gateway.newMerchant()).key;
});
after(() => gateway.stop());

const create = async (body: object = {}, owner = key) => {
  const answer = await gateway.post("/paymentrequests", { ...CHECKOUT, ...body }, { key: owner });
  assert.equal(answer.status, 200);
  return answer.body;
};
const get = (query: string, owner = key) => gateway.get(`/paymentrequests${query}`, { key: owner });
const list = async (query: string, owner = key) => {
  const answer = await get(query, owner);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal(answer.body.count, answer.body.paymentRequests.length);
  assert.deepEqual(answer.body.result, { mode: "sandbox", status: "ok" });
  return answer.body;
};
const ids = (page: Body): string[] => page.paymentRequests.map((request: Body) => request.id);
const query = (parameters: Record<string, string>) => `?${new URLSearchParams(parameters).toString()}`;

/** All pages in order. */
async function walk(parameters: Record<string, string>, owner = key): Promise<string[][]> {
  const pages = await readPages((cursor) => list(query(parameters) + cursor, owner));
  return pages.map(ids);
}

function assertRefused(answer: Answer, ...expected: readonly (readonly [CodeId, string])[]): void {
  assert.equal(answer.status, 400, JSON.stringify(answer.body));
  assert.deepEqual(answer.body, {
    result: {
      mode: "sandbox",
      status: "validation_error",
      codes: expected.map(([id, field]) => ({
        ...shownCode(`${id} ${CODES_BY_ID[id].message}`, gateway.baseUrl),
        field,
      })),
    },
  });
}

describe("contract 2: an empty list", () => {
  test("has no rows and no next page", async () => {
    assert.deepEqual((await get("")).body, {
      count: 0,
      paymentRequests: [],
      nextCursor: null,
      result: { mode: "sandbox", status: "ok" },
    });
  });
});

describe("contract 2: pages of 250 concurrently created requests", () => {
  let owner: string;
  let made: string[];
  before(async () => {
    owner = (await gateway.newMerchant()).key;
    // Half of them in one millisecond, the rest in the next.
    const half = () => Promise.all(Array.from({ length: 125 }, () => create({}, owner)));
    const first = await half();
    now = instant(now + 1);
    made = [...first, ...(await half())].map((request) => request.id);
  });

  for (const [limit, sizes] of [
    ["100", [100, 100, 50]],
    ["50", [50, 50, 50, 50, 50]],
    ["99", [99, 99, 52]],
    [undefined, [...Array.from({ length: 12 }, () => 20), 10]],
  ] as const) {
    test(`limit ${limit ?? "by default 20"}: each request once, newest first`, async () => {
      const pages = await walk(limit === undefined ? {} : { limit }, owner);
      assert.deepEqual(
        pages.map((page) => page.length),
        sizes,
      );
      assert.deepEqual(pages.flat(), [...made].sort().reverse());
    });
  }

  test("the order is that of createdDateTime", async () => {
    const page = await list("?limit=100", owner);
    const times: string[] = page.paymentRequests.map((request: Body) => request.createdDateTime);
    assert.deepEqual(times, [...times].sort().reverse());
  });

  test("limit 1 returns the newest", async () => {
    const page = await list("?limit=1", owner);
    assert.deepEqual(ids(page), [[...made].sort().at(-1)]);
    assert.equal(typeof page.nextCursor, "string");
  });

  test("a request created during paging moves nothing", async () => {
    const first = await list("?limit=100", owner);
    now = instant(now + 1);
    const latest = await create({}, owner);
    const second = await list(query({ limit: "100", cursor: first.nextCursor }), owner);
    const third = await list(query({ limit: "100", cursor: second.nextCursor }), owner);
    assert.deepEqual([...ids(first), ...ids(second), ...ids(third)], [...made].sort().reverse());
    assert.equal(third.nextCursor, null);
    assert.deepEqual(ids(await list("?limit=1", owner)), [latest.id]);
  });

  test("a full last page is not followed by an empty one", async () => {
    const other = (await gateway.newMerchant()).key;
    for (let index = 0; index < 4; index += 1) await create({}, other);
    assert.deepEqual(
      (await walk({ limit: "2" }, other)).map((page) => page.length),
      [2, 2],
    );
    assert.equal((await list("?limit=4", other)).nextCursor, null);
    assert.notEqual((await list("?limit=3", other)).nextCursor, null);
  });
});

describe("contract 2: limit is 1 to 100", () => {
  for (const limit of ["1", "2", "20", "99", "100"]) {
    test(`${limit} is accepted`, async () => {
      await list(`?limit=${limit}`);
    });
  }
  for (const limit of [
    "0",
    "101",
    "-1",
    "1.0",
    "1e1",
    "01",
    "",
    " 1",
    "1 ",
    "abc",
    "٣",
    "1000",
    "99999999999999999999",
  ]) {
    test(`${JSON.stringify(limit)} is refused`, async () => {
      assertRefused(await get(query({ limit })), ["V11020", "/limit"]);
    });
  }
});

describe("contract 2: a cursor is the nextCursor of a page", () => {
  let cursor: string;
  let owner: string;
  before(async () => {
    owner = (await gateway.newMerchant()).key;
    for (let index = 0; index < 3; index += 1) await create({}, owner);
    cursor = (await list("?limit=1", owner)).nextCursor;
  });

  test("can be used again, with another limit", async () => {
    assert.equal((await list(query({ cursor, limit: "1" }), owner)).count, 1);
    assert.equal((await list(query({ cursor, limit: "5" }), owner)).count, 2);
  });

  test("needs no URL encoding", () => {
    assert.equal(encodeURIComponent(cursor), cursor);
  });

  test("returns nothing to another merchant", async () => {
    const other = (await gateway.newMerchant()).key;
    assert.equal((await list(query({ cursor }), other)).count, 0);
  });

  test("is refused on another resource's list", async () => {
    const { body } = await gateway.get("/events?limit=1", { key: owner });
    assert.equal(typeof body.nextCursor, "string");
    assertRefused(await get(query({ cursor: body.nextCursor }), owner), ["V11021", "/cursor"]);
    const other = await gateway.get(`/events${query({ cursor })}`, { key: owner });
    assertRefused(other, ["V11021", "/cursor"]);
  });

  for (const broken of [
    "",
    "x",
    "null",
    "pr_",
    "🌊",
    "%00",
    "A".repeat(200),
    "A".repeat(201),
    "../..",
    "' or 1=1",
  ]) {
    test(`${JSON.stringify(broken.slice(0, 20))} is refused`, async () => {
      assertRefused(await get(query({ cursor: broken })), ["V11021", "/cursor"]);
    });
  }

  test("a truncated cursor is refused", async () => {
    assertRefused(await get(query({ cursor: cursor.slice(0, -4) })), ["V11021", "/cursor"]);
  });
});

describe("contract 2: unknown and repeated query parameters", () => {
  test("an unknown parameter is refused by its name", async () => {
    assertRefused(await get("?colour=blue"), ["V11004", "/colour"]);
    assertRefused(await get("?Limits=5"), ["V11004", "/Limits"]);
    assertRefused(await get("?__proto__=5"), ["V11004", "/__proto__"]);
  });

  test("all problems are returned at once", async () => {
    assertRefused(
      await get("?a=1&limit=0&b=2&cursor=x&createdTo=x"),
      ["V11004", "/a"],
      ["V11004", "/b"],
      ["V11020", "/limit"],
      ["V11021", "/cursor"],
      ["V11023", "/createdTo"],
    );
  });

  for (const [name, code] of [
    ["limit", "V11020"],
    ["cursor", "V11021"],
    ["createdFrom", "V11022"],
    ["createdTo", "V11023"],
    ["status", "V11024"],
    ["reference", "V11025"],
  ] as const) {
    test(`${name} twice is refused`, async () => {
      const value = encodeURIComponent(
        { limit: "1", status: "created", reference: "r", cursor: "c" }[name as "limit"] ??
          "2026-01-01T00:00:00Z",
      );
      assertRefused(await get(`?${name}=${value}&${name}=${value}`), [code, `/${name}`]);
    });
  }

  test("GET by id, cancel and create accept no parameters", async () => {
    const { id } = await create();
    assertRefused(await get(`/${id}?expand=all`), ["V11004", "/expand"]);
    assertRefused(await gateway.post(`/paymentrequests/${id}/cancel?force=1`, undefined, { key }), [
      "V11004",
      "/force",
    ]);
    assertRefused(await gateway.post("/paymentrequests?dry=1", CHECKOUT, { key }), ["V11004", "/dry"]);
  });
});

describe("contract 3: filters of the list", () => {
  let owner: string;
  let created: Body;
  let cancelled: Body;
  let expired: Body;
  let completed: Body;
  before(async () => {
    owner = (await gateway.newMerchant()).key;
    const soon = new Date(now + 60_000).toISOString();
    expired = await create({ reference: "A", expiryDateTime: soon }, owner);
    cancelled = await create({ reference: "A" }, owner);
    completed = await create({ reference: "B" }, owner);
    created = await create({ reference: "B" }, owner);
    await gateway.post(`/paymentrequests/${cancelled.id}/cancel`, undefined, { key: owner });
    // Set directly: a completed payment is not the subject here.
    await gateway.database.rows("update payment_requests set status = 'completed' where id = $1", [
      completed.id,
    ]);
    now = instant(now + 60_000);
  });

  test("without a filter all are returned", async () => {
    assert.deepEqual(ids(await list("", owner)), [created.id, completed.id, cancelled.id, expired.id]);
  });

  for (const status of ["created", "completed", "cancelled", "expired"] as const) {
    test(`status ${status} returns only those`, async () => {
      const page = await list(`?status=${status}`, owner);
      const wanted = { created, completed, cancelled, expired }[status];
      assert.deepEqual(ids(page), [wanted.id]);
      assert.equal(page.paymentRequests[0].paymentRequestStatus, status);
    });
  }

  for (const status of ["", "Created", "paid", "created,expired", "created\u0000"]) {
    test(`status ${JSON.stringify(status)} is refused`, async () => {
      assertRefused(await get(query({ status })), ["V11024", "/status"]);
    });
  }

  test("reference matches exactly", async () => {
    assert.deepEqual(ids(await list("?reference=A", owner)), [cancelled.id, expired.id]);
    assert.deepEqual(ids(await list("?reference=B", owner)), [created.id, completed.id]);
    for (const reference of ["a", "A ", " A", "AB", "%", "_", "*"]) {
      assert.equal((await list(query({ reference }), owner)).count, 0);
    }
  });

  test("reference and status combine", async () => {
    assert.deepEqual(ids(await list("?reference=A&status=cancelled", owner)), [cancelled.id]);
    assert.deepEqual(ids(await list("?reference=A&status=expired", owner)), [expired.id]);
    assert.deepEqual(ids(await list("?reference=B&status=created", owner)), [created.id]);
    assert.equal((await list("?reference=A&status=created", owner)).count, 0);
  });

  test("a defaulted reference is the id and can be searched", async () => {
    const { id } = await create({}, owner);
    assert.deepEqual(ids(await list(`?reference=${id}`, owner)), [id]);
  });

  for (const reference of ["x", "🌊".repeat(64), "a&b=c#d?/%+ e", "漢字", "' or 1=1 --"]) {
    test(`reference ${JSON.stringify(reference.slice(0, 20))} is found`, async () => {
      const { id } = await create({ reference }, owner);
      assert.deepEqual(ids(await list(query({ reference }), owner)), [id]);
    });
  }

  for (const reference of ["", "x".repeat(65), "🌊".repeat(65), "a\u0000", "a\nb"]) {
    test(`reference ${JSON.stringify(reference.slice(0, 20))} is refused`, async () => {
      assertRefused(await get(query({ reference })), ["V11025", "/reference"]);
    });
  }

  test("filters apply on every page", async () => {
    const many = (await gateway.newMerchant()).key;
    const made: Body[] = [];
    for (let index = 0; index < 12; index += 1) made.push(await create({ reference: `r${index % 2}` }, many));
    for (const request of made.slice(0, 6)) {
      await gateway.post(`/paymentrequests/${request.id}/cancel`, undefined, { key: many });
    }
    const wanted = (filter: (request: Body, index: number) => boolean) =>
      made
        .filter(filter)
        .map(({ id }) => id)
        .reverse();
    assert.deepEqual(
      (await walk({ limit: "2", reference: "r1" }, many)).flat(),
      wanted((_, i) => i % 2 === 1),
    );
    assert.deepEqual(
      (await walk({ limit: "2", status: "cancelled" }, many)).flat(),
      wanted((_, i) => i < 6),
    );
    assert.deepEqual(
      (await walk({ limit: "2", status: "created", reference: "r0" }, many)).flat(),
      wanted((_, i) => i >= 6 && i % 2 === 0),
    );
  });
});

describe("contract 2: createdFrom is inclusive, createdTo is exclusive, to the millisecond", () => {
  let owner: string;
  let base: number;
  const made: string[] = [];
  before(async () => {
    owner = (await gateway.newMerchant()).key;
    base = now + 10;
    for (const ms of [0, 1, 2, 3]) {
      now = instant(base + ms);
      made.push((await create({ reference: ms < 2 ? "early" : "late" }, owner)).id);
    }
  });
  const at = (ms: number) => new Date(base + ms).toISOString();
  const between = async (
    from: number | undefined,
    to: number | undefined,
    more: Record<string, string> = {},
  ) =>
    ids(
      await list(
        query({
          ...(from === undefined ? {} : { createdFrom: at(from) }),
          ...(to === undefined ? {} : { createdTo: at(to) }),
          ...more,
        }),
        owner,
      ),
    ).map((id) => made.indexOf(id));

  test("createdFrom", async () => {
    assert.deepEqual(await between(0, undefined), [3, 2, 1, 0]);
    assert.deepEqual(await between(1, undefined), [3, 2, 1]);
    assert.deepEqual(await between(3, undefined), [3]);
    assert.deepEqual(await between(4, undefined), []);
  });

  test("createdTo", async () => {
    assert.deepEqual(await between(undefined, 4), [3, 2, 1, 0]);
    assert.deepEqual(await between(undefined, 3), [2, 1, 0]);
    assert.deepEqual(await between(undefined, 1), [0]);
    assert.deepEqual(await between(undefined, 0), []);
  });

  test("both", async () => {
    assert.deepEqual(await between(1, 3), [2, 1]);
    assert.deepEqual(await between(2, 3), [2]);
    assert.deepEqual(await between(4, 9), []);
    // An empty range is valid.
    assert.deepEqual(await between(2, 2), []);
  });

  test("with more digits than milliseconds", async () => {
    const after = at(1).replace("Z", "999Z");
    const indexes = async (range: Record<string, string>) =>
      ids(await list(query(range), owner)).map((id) => made.indexOf(id));
    assert.deepEqual(await indexes({ createdFrom: after }), [3, 2]);
    assert.deepEqual(await indexes({ createdTo: after }), [1, 0]);
  });

  test("combine with the other filters and with paging", async () => {
    assert.deepEqual(await between(1, undefined, { reference: "early" }), [1]);
    assert.deepEqual(await between(undefined, 3, { reference: "late", status: "created" }), [2]);
    const pages = await walk({ createdFrom: at(0), createdTo: at(3), limit: "1" }, owner);
    assert.deepEqual(
      pages.flat().map((id) => made.indexOf(id)),
      [2, 1, 0],
    );
  });

  test("are accepted in any time zone, however distant", async () => {
    const sydney = new Date(base + 11 * 3_600_000).toISOString().replace("Z", "+11:00");
    assert.equal((await list(query({ createdFrom: sydney }), owner)).count, 4);
    assert.equal((await list(query({ createdTo: sydney }), owner)).count, 0);
    assert.equal((await list(query({ createdFrom: "0001-01-01T00:00:00Z" }), owner)).count, 4);
    assert.equal((await list(query({ createdTo: "9999-12-31T23:59:59.999Z" }), owner)).count, 4);
    assert.equal((await list(query({ createdFrom: "9999-12-31T23:59:59.999Z" }), owner)).count, 0);
    assert.equal((await list(query({ createdTo: "0001-01-01T00:00:00Z" }), owner)).count, 0);
  });

  test("createdTo before createdFrom is refused", async () => {
    assertRefused(await get(query({ createdFrom: at(2), createdTo: at(1) })), ["V11023", "/createdTo"]);
  });

  for (const [name, code] of [
    ["createdFrom", "V11022"],
    ["createdTo", "V11023"],
  ] as const) {
    for (const value of [
      "",
      "2026-01-01",
      "2026-01-01T00:00:00",
      "yesterday",
      "1767225600000",
      "2026-02-30T00:00:00Z",
    ]) {
      test(`${name} ${JSON.stringify(value)} is refused`, async () => {
        assertRefused(await get(query({ [name]: value })), [code, `/${name}`]);
      });
    }
  }
});

describe("another merchant's requests never appear", () => {
  test("under any filter", async () => {
    const [mine, theirs] = [(await gateway.newMerchant()).key, (await gateway.newMerchant()).key];
    const own = await create({ reference: "shared" }, mine);
    for (const body of [{ reference: "shared" }, { reference: own.id }]) await create(body, theirs);
    await gateway.post("/paymentrequests", { ...HOSTED, reference: "shared" }, { key: theirs });
    await gateway.post("/paymentrequests", { ...payIdRequest(), reference: "shared" }, { key: theirs });
    for (const filter of ["", "?reference=shared", "?status=created", "?reference=shared&status=created"]) {
      assert.deepEqual(ids(await list(filter, mine)), [own.id]);
      assert.equal((await list(filter, theirs)).count, filter.includes("reference") ? 3 : 4);
    }
    assert.deepEqual(ids(await list(`?reference=${own.id}`, mine)), []);
  });
});

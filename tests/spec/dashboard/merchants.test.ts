import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { signedIn } from "../../support/dashboard.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";

const PATH = "/dashboard/merchants";

describe("dashboard: an operator's list of merchants", () => {
  let gateway: TestGateway;
  let operator: Awaited<ReturnType<typeof signedIn>>;
  before(async () => {
    gateway = await startTestGateway();
    await gateway.newMerchant();
    operator = await signedIn(gateway, { role: "operator" });
  });
  after(() => gateway.stop());

  /** More merchants like the last one, each with its number in the name. */
  const add = (first: number, last: number) =>
    gateway.database.rows(
      `insert into merchants (id, name, mode, country, currency, capabilities, surcharging, created_at, updated_at)
       select 'mer_' || lpad(n::text, 24, '0'), 'Shop Number ' || n, mode, country, currency, capabilities, surcharging,
         created_at, updated_at
       from (select * from merchants order by id limit 1) m, generate_series($1::int, $2::int) n`,
      [first, last],
    );
  const namesOn = (text: string) =>
    [...text.matchAll(/<a href="\/dashboard\/mer_\w+">([^<]+)</g)].map(([, name = ""]) => name);
  const nextOn = (text: string) =>
    /<a rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? assert.fail("no next page");

  test("the switcher has them all while they are few, and none of them beyond 50", async () => {
    const { id } = await gateway.newMerchant();
    const switcher = async () => /<select id="switch"/.test((await operator.get(`/dashboard/${id}`)).text);
    assert.equal(await switcher(), true);
    await add(1, 50);
    assert.equal(await switcher(), false);
  });

  test("every merchant is on one of the pages", async () => {
    await add(51, 250);
    const all = (await gateway.database.rows<{ name: string }>("select name from merchants order by id")).map(
      ({ name }) => name,
    );
    const first = (await operator.get(PATH)).text;
    const second = (await operator.get(nextOn(first))).text;
    const third = (await operator.get(nextOn(second))).text;
    assert.deepEqual([first, second, third].flatMap(namesOn), all);
    assert.doesNotMatch(third, /rel="next"/);
    assert.match(third, /<a href="\/dashboard\/merchants">First</);
  });

  test("a search finds names in any case and ids, on as many pages as it takes", async () => {
    const found = async (text: string) =>
      namesOn((await operator.get(`${PATH}?name=${encodeURIComponent(text)}`)).text);
    assert.deepEqual(await found("shop number 249"), ["Shop Number 249"]);
    assert.deepEqual(await found(`mer_${"250".padStart(24, "0")}`), ["Shop Number 250"]);
    assert.deepEqual(await found("100%"), []);
    const first = (await operator.get(`${PATH}?name=NUMBER+1`)).text;
    const second = (await operator.get(nextOn(first))).text;
    assert.equal(namesOn(first).length + namesOn(second).length, 111);
    assert.ok(namesOn(second).every((name) => name.startsWith("Shop Number 1")));
  });
});

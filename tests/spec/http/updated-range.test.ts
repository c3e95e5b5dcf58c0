import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  advanceClock,
  callApi,
  createRequest,
  ok,
  payOnce,
  problemsOf,
  type Shop,
  shopOf,
} from "../../support/checkout.ts";
import { disputeOf } from "../../support/disputes.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { readPages } from "../../support/pages.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";

type Row = { readonly id: string; readonly [field: string]: string };

const ACCOUNT = { accountName: "Ann Lee", bsb: "062000", number: "12345678" };

describe("contract 2: ranges of time on every list", () => {
  let gateway: TestGateway;
  let shop: Shop;
  let receiver: Receiver;
  /** Each list by its name in the answer: its path, and the field that the range is about. */
  const lists: { name: string; path: string; field: string }[] = [];

  before(async () => {
    gateway = await startTestGateway();
    receiver = await startReceiver();
    shop = shopOf(gateway, (await gateway.newMerchant()).key);
    const call = async (method: "POST" | "PUT", path: string, body?: unknown) =>
      ok(await callApi(shop, method, path, body));
    const list = (name: string, path = `/${name.toLowerCase()}`, field = "updatedDateTime") =>
      lists.push({ name, path, field });

    for (const event of ["transactions", "customers", "payouts"]) {
      await call("POST", "/webhooks", { event, url: receiver.url });
    }
    const webhooks: Row[] = ok(await callApi(shop, "GET", "/webhooks")).webhooks;
    await call("PUT", `/webhooks/${webhooks.at(-1)?.id}`, { status: "active", url: `${receiver.url}?again` });
    list("webhooks");

    const [oldest] = [await createRequest(shop), await createRequest(shop), await createRequest(shop)];
    await call("POST", `/paymentrequests/${oldest.id}/cancel`);
    list("paymentRequests");

    const manual = await payOnce(shop, { category: { captureType: "manual" } });
    const paid = await payOnce(shop, {});
    await payOnce(shop, { amount: 14_451 });
    await call("POST", `/transactions/${manual.transactionId}/capture`);
    list("transactions");

    for (const amount of [1, 2, 3]) {
      await call("POST", `/transactions/${paid.transactionId}/refunds`, { payment: { amount } });
    }
    list("refunds");
    list("refunds", `/transactions/${paid.transactionId}/refunds`);

    const customers: Row[] = [];
    for (const name of ["Ann", "Ben", "Cy"]) {
      customers.push(await call("POST", "/customers", { name, email: "ann@example.com" }));
    }
    await call("PUT", `/customers/${customers[0]?.id}`, { name: "Ann Lee" });
    list("customers");

    const instruments = `/customers/${customers[0]?.id}/paymentinstruments`;
    const made: Row[] = [];
    for (const reference of ["a", "b", "c"]) {
      made.push(await call("POST", instruments, { reference, bankAccount: ACCOUNT }));
    }
    await call("PUT", `${instruments}/${made[0]?.id}`, { reference: "changed" });
    list("paymentInstruments", instruments);

    const disputes = [await disputeOf(shop), await disputeOf(shop), await disputeOf(shop)];
    await call("POST", `/disputes/${disputes[0]?.id}/accept`);
    list("disputes");

    for (let days = 0; days < 3; days += 1) {
      await payOnce(shop, {});
      await call("POST", "/sandbox/settlements/run");
      await advanceClock(shop, 3600);
    }
    list("payouts");
    list("events", "/events", "created");

    const [event] = ok(await callApi(shop, "GET", "/events?event=customers&limit=1")).events;
    await eventually("the event is delivered twice more", async () => {
      await callApi(shop, "POST", `/events/${event.id}/redeliver`);
      return ok(await callApi(shop, "GET", `/events/${event.id}/deliveries`)).count >= 3 || undefined;
    });
    await eventually("no attempt is under way", async () => {
      const { deliveries } = ok(await callApi(shop, "GET", `/events/${event.id}/deliveries`));
      return deliveries.every((one: Row) => one["status"] !== "pending") || undefined;
    });
    list("deliveries", `/events/${event.id}/deliveries`, "attemptedDateTime");
  });
  after(async () => {
    await receiver.close();
    await gateway.stop();
  });

  const read = async (path: string, name: string, query: string): Promise<readonly Row[]> =>
    ok(await callApi(shop, "GET", `${path}?${query}`))[name];

  test("updatedFrom is inclusive, updatedTo is exclusive, and the latest change comes first", async () => {
    for (const { name, path, field } of lists) {
      const all = (await read(path, name, "limit=100")).toSorted((a, b) => {
        const [one, other] = [`${a[field]} ${a.id}`, `${b[field]} ${b.id}`];
        return one < other ? 1 : -1;
      });
      assert.ok(all.length >= 3, `${path} has rows`);
      const moments = [...new Set(all.map((row) => row[field] ?? ""))];
      const [to = "", from = ""] = moments.length > 2 ? moments : [moments[0], moments.at(-1)];
      const within = all.filter((row) => (row[field] ?? "") >= from && (row[field] ?? "") < to);
      assert.ok(within.length > 0 && within.length < all.length, `${path} has rows in and out of the range`);
      const query = `updatedFrom=${from}&updatedTo=${to}`;
      if (name === "deliveries") {
        assert.deepEqual(new Set(await read(path, name, `limit=100&${query}`)), new Set(within), path);
      } else {
        assert.deepEqual(await read(path, name, `limit=100&${query}`), within, path);
      }
      assert.equal(
        (await read(path, name, `limit=100&updatedFrom=${from}`)).length,
        all.filter((row) => (row[field] ?? "") >= from).length,
        path,
      );
      assert.equal(
        (await read(path, name, `limit=100&updatedTo=${from}`)).length,
        all.filter((row) => (row[field] ?? "") < from).length,
        path,
      );
    }
  });

  test("createdFrom is inclusive and createdTo exclusive on every list", async () => {
    for (const { name, path, field: changed } of lists) {
      const field = changed === "updatedDateTime" ? "createdDateTime" : changed;
      const all = await read(path, name, "limit=100");
      const moments = all.map((row) => row[field] ?? "").toSorted();
      const middle = moments[Math.floor(moments.length / 2)] ?? "";
      const from = await read(path, name, `limit=100&createdFrom=${middle}`);
      const to = await read(path, name, `limit=100&createdTo=${middle}`);
      assert.equal(from.length, moments.filter((moment) => moment >= middle).length, path);
      assert.equal(to.length, moments.filter((moment) => moment < middle).length, path);
    }
  });

  test("pages of a range contain every row once", async () => {
    for (const { name, path } of lists) {
      const range = "updatedFrom=2020-01-01T00:00:00Z";
      const all = await read(path, name, `limit=100&${range}`);
      const pages = await readPages(async (cursor) =>
        ok(await callApi(shop, "GET", `${path}?limit=2&${range}${cursor}`)),
      );
      assert.deepEqual(
        pages.flatMap((page) => page[name]),
        all,
        path,
      );
    }
  });

  test("a range goes with every other filter", async () => {
    const range = "updatedFrom=2020-01-01T00:00:00Z";
    const all = await read("/transactions", "transactions", `limit=100&${range}`);
    const declined = await read("/transactions", "transactions", `limit=100&${range}&status=declined`);
    assert.equal(declined.length, 1);
    const [one] = declined;
    const more = `status=declined&reference=${one?.["reference"]}&paymentrequestid=${one?.["paymentRequestId"]}`;
    assert.deepEqual(await read("/transactions", "transactions", `${range}&${more}`), declined);
    assert.deepEqual(
      await read("/transactions", "transactions", `${range}&${more.replace("declined", "approved")}`),
      [],
    );
    const created = `createdFrom=${one?.["createdDateTime"]}`;
    const later = all.filter((row) => (row["createdDateTime"] ?? "") >= (one?.["createdDateTime"] ?? ""));
    assert.ok(later.length < all.length);
    assert.deepEqual(await read("/transactions", "transactions", `limit=100&${range}&${created}`), later);
    assert.equal((await read("/paymentrequests", "paymentRequests", `${range}&status=created`)).length, 2);
    assert.equal((await read("/paymentrequests", "paymentRequests", `${range}&status=cancelled`)).length, 1);
  });

  test("a range up to 1970 has no rows, a range from then on has all", async () => {
    const epoch = "1970-01-01T00:00:00Z";
    for (const { name, path } of lists) {
      const all = await read(path, name, "limit=100");
      for (const to of ["createdTo", "updatedTo"])
        assert.deepEqual(await read(path, name, `${to}=${epoch}`), [], `${path} ${to}`);
      for (const from of ["createdFrom", "updatedFrom"]) {
        const rows = await read(path, name, `limit=100&${from}=${epoch}`);
        assert.equal(rows.length, all.length, `${path} ${from}`);
      }
    }
  });

  test("a time in the year 0 or 10000 of UTC is refused; the first and the last time of the years between is not", async () => {
    const codes = Object.entries({
      createdFrom: "V11022",
      createdTo: "V11023",
      updatedFrom: "V12061",
      updatedTo: "V12062",
    });
    for (const { path } of lists) {
      for (const [parameter, code] of codes) {
        const call = (time: string) =>
          callApi(shop, "GET", `${path}?${parameter}=${encodeURIComponent(time)}`);
        for (const time of ["0001-01-01T00:00:00+10:00", "9999-12-31T23:59:59-10:00"]) {
          const answer = await call(time);
          assert.equal(answer.status, 400, `${path} ${parameter} ${time}`);
          assert.deepEqual(problemsOf(answer), [`${code} /${parameter}`]);
        }
        for (const time of ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"]) ok(await call(time));
      }
    }
  });

  test("a cursor that is another list's or has no possible time is refused beside other problems", async () => {
    const cursor = (text: string) => Buffer.from(text).toString("base64url");
    const chars = "0".repeat(29);
    const limit = "V11020 /limit";
    for (const { name, path } of lists) {
      const other = cursor(name === "customers" ? `pr_${chars}` : `cus_${chars}`);
      const refused = problemsOf(await callApi(shop, "GET", `${path}?limit=0&cursor=${other}`));
      assert.deepEqual(refused.toSorted(), [limit, "V11021 /cursor"], path);
    }
    const range = "updatedFrom=2020-01-01T00:00:00Z";
    const at = (moment: string) =>
      callApi(shop, "GET", `/paymentrequests?${range}&cursor=${cursor(`pr_${chars} ${moment}`)}`);
    assert.deepEqual(problemsOf(await at("999999999999999")), ["V11021 /cursor"]);
    ok(await at(String(Date.parse("9999-12-31T23:59:59.999Z"))));
  });

  test("a wrong time, a range that ends before it begins and a cursor of another order are refused", async () => {
    const backwards = "updatedFrom=2026-01-02T00:00:00Z&updatedTo=2026-01-01T00:00:00Z";
    for (const { path } of lists) {
      const refused = async (query: string) => {
        const answer = await callApi(shop, "GET", `${path}?${query}`);
        assert.equal(answer.status, 400, `${path}?${query}`);
        return problemsOf(answer);
      };
      assert.deepEqual(await refused("updatedFrom=yesterday&updatedTo=today"), [
        "V12061 /updatedFrom",
        "V12062 /updatedTo",
      ]);
      assert.deepEqual(await refused(backwards), ["V12062 /updatedTo"]);
    }
    const byId = ok(await callApi(shop, "GET", "/transactions?limit=1")).nextCursor;
    const range = "updatedFrom=2020-01-01T00:00:00Z";
    const byUpdate = ok(await callApi(shop, "GET", `/transactions?limit=1&${range}`)).nextCursor;
    for (const query of [`cursor=${byId}&${range}`, `cursor=${byUpdate}`]) {
      assert.deepEqual(problemsOf(await callApi(shop, "GET", `/transactions?${query}`)), ["V11021 /cursor"]);
    }
  });
});

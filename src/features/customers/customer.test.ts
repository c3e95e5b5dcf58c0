import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Id, newId } from "../../kernel/ids.ts";
import { instant } from "../../kernel/time.ts";
import { changedCustomer, newCustomer } from "./customer.ts";

const now = instant(1_000);
const [merchantId, id] = ["mer_1" as Id<"merchant">, newId("customer", now)];
const before = newCustomer(merchantId, id, { name: "Ann", email: "a@example.com", reference: "r" }, now);

describe("a customer", () => {
  test("has its id as the reference, unless one is given", () => {
    assert.equal(newCustomer(merchantId, id, { name: "Ann", email: null }, now).reference, id);
    assert.deepEqual(before, {
      ...{ id, merchantId, reference: "r", name: "Ann", email: "a@example.com" },
      ...{ metadata: null, createdAt: now, updatedAt: now },
    });
  });

  test("was created at the moment in its id, also if it is stored later", () => {
    const times = (moment: number) => {
      const { createdAt, updatedAt } = newCustomer(
        merchantId,
        id,
        { name: "Ann", email: null },
        instant(moment),
      );
      return [createdAt, updatedAt];
    };
    assert.deepEqual(times(61_000), [1_000, 61_000]);
    assert.deepEqual(times(900), [1_000, 1_000], "the clock of another node is behind");
  });

  test("is the same object after a change that changes nothing", () => {
    const same = { name: "Ann", email: "a@example.com", reference: "r" };
    assert.equal(changedCustomer(before, same, instant(2_000)), before);
    assert.equal(changedCustomer(before, {}, instant(2_000)), before);
    const nameless = { ...before, email: null };
    assert.equal(changedCustomer(nameless, {}, instant(2_000)), nameless);
  });

  for (const change of [{ name: "Bob" }, { email: "b@example.com" }, { reference: "s" }]) {
    test(`${Object.keys(change).join()} alone is a change`, () =>
      assert.deepEqual(changedCustomer(before, change, instant(2_000)), {
        ...before,
        ...change,
        updatedAt: 2_000,
      }));
  }

  test("metadata alone is a change, and its time is later than the last one", () => {
    const after = changedCustomer(before, { metadata: { a: "1" } }, now);
    assert.deepEqual([after.metadata, after.updatedAt], [{ a: "1" }, 1_001]);
  });
});

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { DAY, instant, MINUTE } from "../../../src/kernel/time.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { type Field, testField } from "./field-table.ts";
import { assertAccepted, assertRefused } from "./request-assertions.ts";
import { type Body, CHECKOUT, HOSTED, payIdRequest, withValue } from "./sample-requests.ts";

const NOW = Date.parse("2026-02-10T01:02:03.004Z");
let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway({ environment: { TIDEGATE_RATE_LIMIT: "0" }, now: () => instant(NOW) });
});
after(() => gateway.stop());

const inMs = (ms: number) => new Date(NOW + ms).toISOString();
const fullIso = (value: unknown) => new Date(String(value)).toISOString();

/** The time as the local time of that zone. */
function inZone(ms: number, hours: number, zone: string): string {
  return new Date(NOW + ms + hours * 3_600_000).toISOString().replace("Z", zone);
}

const FIELD: Field = {
  at: "/expiryDateTime",
  code: "V11110",
  kind: "text",
  base: () => CHECKOUT,
  accepts: [
    inMs(MINUTE),
    inMs(MINUTE + 1),
    inMs(61_000),
    inMs(DAY),
    inMs(90 * DAY - 1),
    inMs(90 * DAY),
    "2026-02-10T01:04Z",
    "2026-02-10T01:04:05Z",
    "2026-02-10T01:04:05.6Z",
    "2026-02-10T01:04:05.678901234Z",
    inZone(MINUTE, 11, "+11:00"),
    inZone(MINUTE, 13, "+13:00"),
    inZone(MINUTE, -7.5, "-07:30"),
    inZone(90 * DAY, 14, "+14:00"),
    inZone(90 * DAY, -12, "-12:00"),
  ],
  echo: fullIso,
  refuses: [
    inMs(0),
    inMs(-1),
    inMs(59_000),
    inMs(MINUTE - 1),
    inMs(90 * DAY + 1),
    inMs(91 * DAY),
    inZone(MINUTE - 1, 11, "+11:00"),
    inZone(MINUTE - 1, -7.5, "-07:30"),
    inZone(90 * DAY + 1, 14, "+14:00"),
    "",
    "tomorrow",
    "2026-02-11",
    "2026-02-11T01:02:03",
    "2026-02-11 01:02:03Z",
    "2026-02-11T25:02:03Z",
    "2026-02-30T01:02:03Z",
    "2026-02-11T01:02:03+25:00",
    "2026-02-11T01:02:03+1100",
    "2026-02-11T01:02:03Z\u0000",
    "0000-02-11T01:02:03Z",
    "9999-12-31T23:59:59Z",
    "+275760-09-13T00:00:00Z",
    String(NOW + DAY),
  ],
};

describe("spec 2.1, contract 3: expiryDateTime is from one minute to 90 days ahead", () => {
  testField(() => gateway, FIELD);

  const flows: Readonly<Record<string, () => Body>> = {
    checkout: () => CHECKOUT,
    hosted: () => HOSTED,
    PayID: payIdRequest,
  };
  for (const [flow, body] of Object.entries(flows)) {
    test(`${flow}: defaults to 24 hours after creation`, async () => {
      const answer = await assertAccepted(gateway, body());
      assert.equal(answer.body.createdDateTime, inMs(0));
      assert.equal(answer.body.expiryDateTime, inMs(DAY));
    });

    test(`${flow}: can be set`, async () => {
      const answer = await assertAccepted(gateway, withValue(body(), "/expiryDateTime", inMs(MINUTE)));
      assert.equal(answer.body.expiryDateTime, inMs(MINUTE));
      const tooSoon = withValue(body(), "/expiryDateTime", inMs(MINUTE - 1));
      await assertRefused(gateway, tooSoon, [["V11110", "/expiryDateTime"]]);
    });
  }

  test("the limits follow the merchant's own clock", async () => {
    const { key } = await gateway.newMerchant();
    await gateway.post("/sandbox/clock/advance", { seconds: 3600 }, { key });
    const at = (ms: number) => withValue(CHECKOUT, "/expiryDateTime", inMs(3_600_000 + ms));
    const refused = [["V11110", "/expiryDateTime"]] as const;
    await assertRefused(gateway, at(MINUTE - 1), refused, { key });
    await assertRefused(gateway, at(90 * DAY + 1), refused, { key });
    assert.equal((await assertAccepted(gateway, at(MINUTE), { key })).body.createdDateTime, inMs(3_600_000));
    await assertAccepted(gateway, at(90 * DAY), { key });
  });
});

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { TimeZone } from "./country.ts";
import {
  changeTime,
  DAY,
  dayInZone,
  earliest,
  HOUR,
  instant,
  later,
  latest,
  MINUTE,
  parseBound,
  parseDate,
  parseDateTime,
  SECOND,
  toIso,
  toLocalIso,
} from "./time.ts";

const moment = (text: string) => instant(Date.parse(text));

describe("spec 2: timestamps are ISO 8601 UTC", () => {
  test("the wire form has milliseconds and Z", () => {
    assert.equal(toIso(instant(0)), "1970-01-01T00:00:00.000Z");
    assert.equal(toIso(instant(1_767_225_600_001)), "2026-01-01T00:00:00.001Z");
  });

  const noon = moment("2026-02-01T12:00:00.000Z");
  for (const text of [
    "2026-02-01T12:00:00.000Z",
    "2026-02-01T12:00:00Z",
    "2026-02-01T12:00Z",
    "2026-02-01T12:00:00.0009Z",
    "2026-02-01T12:00:00.000000000Z",
    "2026-02-01T12:00:00+00:00",
    "2026-02-01T12:00:00-00:00",
    "2026-02-01T23:00:00+11:00",
    "2026-02-02T01:00:00+13:00",
    "2026-02-01T04:30:00-07:30",
  ]) {
    test(`${text} is noon`, () => assert.equal(parseDateTime(text), noon));
  }

  test("parts of a millisecond are rounded up at the ends of a range, the last moment of all apart", () => {
    assert.equal(parseBound("2026-02-01T12:00:00.0001Z"), later(noon, 1));
    assert.equal(parseBound("2026-02-01T11:59:59.999000001Z"), noon);
    assert.equal(parseBound("2026-02-01T12:00:00.000000Z"), noon);
    assert.equal(parseBound("9999-12-31T23:59:59.9999Z"), moment("9999-12-31T23:59:59.999Z"));
    assert.equal(parseBound("noon"), undefined);
  });

  test("one digit of a fraction is tenths", () => {
    assert.equal(parseDateTime("2026-02-01T12:00:00.5Z"), later(noon, 500));
  });

  for (const text of [
    "",
    "2026-02-01",
    "2026-02-01T12:00:00",
    "2026-02-01 12:00:00Z",
    "2026-02-01t12:00:00z",
    " 2026-02-01T12:00:00Z",
    "2026-02-01T12:00:00Z\n",
    "2026-02-01T12Z",
    "2026-02-01T12:00:00.Z",
    "2026-02-01T12:00:00.0000000000Z",
    "2026-02-01T12:00:00+1100",
    "2026-02-01T12:00:00+11",
    "2026-02-01T12:00:00+24:00",
    "2026-02-01T12:00:00+11:60",
    "2026-02-01T24:00:00Z",
    "2026-02-01T25:00:00Z",
    "2026-02-01T12:99:00Z",
    "2026-02-01T12:00:99Z",
    "2026-02-01T12:60:00Z",
    "2026-02-01T12:00:60Z",
    "2026-02-30T12:00:00Z",
    "2026-13-01T12:00:00Z",
    "2026-00-01T12:00:00Z",
    "2025-02-29T12:00:00Z",
    "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00+10:00",
    "9999-12-31T23:59:59-10:00",
    "+02026-02-01T12:00:00Z",
    "26-02-01T12:00:00Z",
    "1767225600000",
    "٢٠٢٦-٠٢-٠١T12:00:00Z",
  ]) {
    test(`${JSON.stringify(text)} is refused`, () => assert.equal(parseDateTime(text), undefined));
  }

  for (const [text, utc] of [
    ["0001-01-01T10:00:00+10:00", "0001-01-01T00:00:00.000Z"],
    ["9999-12-31T13:59:59.999-10:00", "9999-12-31T23:59:59.999Z"],
  ] as const) {
    test(`${text} is within the years 1 to 9999 in UTC`, () =>
      assert.equal(toIso(parseDateTime(text) ?? assert.fail("refused")), utc));
  }

  test("what is written can be read again", () => {
    const moments = fc.integer({ min: Date.parse("0001-01-01"), max: Date.parse("9999-12-31") });
    fc.assert(fc.property(moments, (one) => assert.equal(parseDateTime(toIso(instant(one))), one)));
  });

  test("no text makes it throw", () => {
    fc.assert(fc.property(fc.string(), (text) => assert.doesNotThrow(() => parseDateTime(text))));
  });
});

describe("spec 2.6: a day is `yyyy-MM-dd`", () => {
  for (const text of ["2026-01-31", "2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31", "0004-02-29"]) {
    test(`${text} is a day`, () => assert.equal(parseDate(text), text));
  }

  for (const text of [
    "",
    "2026-1-1",
    "2026-04-31",
    "2025-02-29",
    "1900-02-29",
    "2026-02-00",
    "2026-13-01",
    "0000-01-01",
    "2026-01-01T00:00:00Z",
    "2026/01/01",
    "01-01-2026",
    "2026-01-01 ",
    "12026-01-01",
  ]) {
    test(`${JSON.stringify(text)} is none`, () => assert.equal(parseDate(text), undefined));
  }

  test("there are as many days as the calendar has", () => {
    for (let day = Date.parse("1996-01-01"); day < Date.parse("2005-01-01"); day += 86_400_000) {
      const text = toIso(instant(day)).slice(0, 10);
      assert.equal(parseDate(text), text);
    }
  });
});

describe("contract 8: a day without time is the merchant's day", () => {
  const cases: readonly (readonly [at: string, zone: TimeZone, day: string])[] = [
    // Daylight saving time: Sydney is 11 hours ahead, Auckland 13.
    ["2026-01-31T12:59:59.999Z", "Australia/Sydney", "2026-01-31"],
    ["2026-01-31T13:00:00.000Z", "Australia/Sydney", "2026-02-01"],
    ["2026-01-31T10:59:59.999Z", "Pacific/Auckland", "2026-01-31"],
    ["2026-01-31T11:00:00.000Z", "Pacific/Auckland", "2026-02-01"],
    // Standard time: 10 and 12 hours.
    ["2026-06-30T13:59:59.999Z", "Australia/Sydney", "2026-06-30"],
    ["2026-06-30T14:00:00.000Z", "Australia/Sydney", "2026-07-01"],
    ["2026-06-30T11:59:59.999Z", "Pacific/Auckland", "2026-06-30"],
    ["2026-06-30T12:00:00.000Z", "Pacific/Auckland", "2026-07-01"],
    // The day on which the clocks go back has 25 hours.
    ["2026-04-04T12:59:59.999Z", "Australia/Sydney", "2026-04-04"],
    ["2026-04-04T13:00:00.000Z", "Australia/Sydney", "2026-04-05"],
    ["2026-04-05T13:59:59.999Z", "Australia/Sydney", "2026-04-05"],
    ["2026-04-05T14:00:00.000Z", "Australia/Sydney", "2026-04-06"],
    ["2026-12-31T13:00:00.000Z", "Australia/Sydney", "2027-01-01"],
  ];
  for (const [at, zone, day] of cases) {
    test(`at ${at} it is ${day} in ${zone}`, () => assert.equal(dayInZone(moment(at), zone), day));
  }
});

describe("contract 2: `updatedDateTime` grows strictly with every change", () => {
  test("when time has passed, the change has the time of the clock", () => {
    assert.equal(changeTime(instant(11), instant(10)), 11);
  });

  test("when the clock stands still or steps back, the change is a millisecond later than the last", () => {
    assert.equal(changeTime(instant(10), instant(10)), 11);
    assert.equal(changeTime(instant(3), instant(10)), 11);
  });
});

describe("moments", () => {
  test("of two, one is earlier and one later, in either order", () => {
    for (const [one, other] of [
      [instant(1), instant(2)],
      [instant(2), instant(1)],
    ] as const)
      assert.deepEqual([earliest(one, other), latest(one, other)], [1, 2]);
  });

  test("are counted in milliseconds", () => {
    assert.deepEqual([SECOND, MINUTE, HOUR, DAY], [1_000, 60_000, 3_600_000, 86_400_000]);
  });

  test("a moment is a whole number of milliseconds", () => {
    assert.throws(() => instant(1.5), RangeError);
    assert.throws(() => instant(Number.NaN), RangeError);
    assert.throws(() => later(instant(1), 0.5), RangeError);
  });
});

describe("a local time is the moment on the merchant's clocks", () => {
  for (const [at, zone, local] of [
    ["2026-09-30T22:00:00.000Z", "Australia/Sydney", "2026-10-01T08:00:00+10:00"],
    ["2026-01-31T12:59:59.999Z", "Australia/Sydney", "2026-01-31T23:59:59+11:00"],
    ["2026-01-31T13:00:00.000Z", "Australia/Sydney", "2026-02-01T00:00:00+11:00"],
    ["2026-06-30T11:59:59.499Z", "Pacific/Auckland", "2026-06-30T23:59:59+12:00"],
    // The hour that Sydney's clocks show twice when they go back.
    ["2026-04-04T15:30:00.000Z", "Australia/Sydney", "2026-04-05T02:30:00+11:00"],
    ["2026-04-04T16:30:00.000Z", "Australia/Sydney", "2026-04-05T02:30:00+10:00"],
    // No merchant's zone, but half an hour, behind UTC, and UTC itself.
    ["2026-01-01T00:00:00.000Z", "Australia/Adelaide", "2026-01-01T10:30:00+10:30"],
    ["2026-01-01T00:00:00.000Z", "America/St_Johns", "2025-12-31T20:30:00-03:30"],
    ["2026-01-01T00:00:00.000Z", "UTC", "2026-01-01T00:00:00+00:00"],
  ] as const)
    test(`${at} in ${zone}`, () =>
      assert.equal(toLocalIso(instant(Date.parse(at)), zone as TimeZone), local));

  test("it can be read again, to the second", () => {
    const moments = fc.integer({ min: Date.parse("1971-01-01"), max: Date.parse("2100-01-01") });
    const zones = fc.constantFrom("Australia/Sydney" as const, "Pacific/Auckland" as const);
    fc.assert(
      fc.property(moments, zones, (one, zone) =>
        assert.equal(parseDateTime(toLocalIso(instant(one), zone)), one - (one % 1_000)),
      ),
    );
  });
});

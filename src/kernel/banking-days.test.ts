import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { bankingDayFrom, bankingDaysAfter, easterSunday, isBankingDay } from "./banking-days.ts";
import { type CalendarDay, parseDate } from "./time.ts";

const day = (text: string): CalendarDay => parseDate(text) ?? assert.fail(text);

/** The weekdays of a year on which banks do not settle. */
function bankHolidays(year: number, country: "AU" | "NZ"): readonly CalendarDay[] {
  const found: CalendarDay[] = [];
  for (const date = new Date(Date.UTC(year, 0, 1)); date.getUTCFullYear() === year; ) {
    const one = day(date.toISOString().slice(0, 10));
    if (date.getUTCDay() % 6 !== 0 && !isBankingDay(one, country)) found.push(one);
    date.setUTCDate(date.getUTCDate() + 1);
  }
  return found;
}

const held = (year: number, country: "AU" | "NZ") =>
  bankHolidays(year, country)
    .map((one) => one.slice(5))
    .join(" ");

describe("banking days", () => {
  test("Easter is when it was published to be, the exceptions of its tables included", () => {
    const published = [
      ...["1954-04-18", "1981-04-19", "2000-04-23", "2008-03-23", "2024-03-31", "2025-04-20", "2026-04-05"],
      ...["2027-03-28", "2028-04-16", "2029-04-01", "2030-04-21", "2038-04-25", "2049-04-18", "2076-04-19"],
      "2285-03-22",
    ];
    for (const sunday of published) assert.equal(easterSunday(Number(sunday.slice(0, 4))), sunday);
  });

  test("Easter is when the anonymous Gregorian algorithm of 1876 says, in every year", () => {
    const easter = (year: number) => {
      const [golden, century, rest] = [year % 19, Math.floor(year / 100), year % 100];
      const moonShift = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
      const epact = (19 * golden + century - Math.floor(century / 4) - moonShift + 15) % 30;
      const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(rest / 4) - epact - (rest % 4)) % 7;
      const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
      const days = epact + weekday - 7 * late + 114;
      return new Date(Date.UTC(year, Math.floor(days / 31) - 1, (days % 31) + 1)).toISOString().slice(0, 10);
    };
    for (let year = 1583; year <= 9999; year += 1) assert.equal(easterSunday(year), easter(year));
  });

  test("Australia: what New South Wales and Victoria both published", () => {
    assert.equal(held(2022, "AU"), "01-03 01-26 04-15 04-18 04-25 06-13 12-26 12-27");
    assert.equal(held(2024, "AU"), "01-01 01-26 03-29 04-01 04-25 06-10 12-25 12-26");
    assert.equal(held(2025, "AU"), "01-01 01-27 04-18 04-21 04-25 06-09 12-25 12-26");
    assert.equal(held(2026, "AU"), "01-01 01-26 04-03 04-06 06-08 12-25 12-28");
    assert.equal(held(2027, "AU"), "01-01 01-26 03-26 03-29 06-14 12-27 12-28");
  });

  test("New Zealand: what its government published", () => {
    assert.equal(held(2022, "NZ"), "01-03 01-04 02-07 04-15 04-18 04-25 06-06 06-24 10-24 12-26 12-27");
    assert.equal(held(2023, "NZ"), "01-02 01-03 02-06 04-07 04-10 04-25 06-05 07-14 10-23 12-25 12-26");
    assert.equal(held(2025, "NZ"), "01-01 01-02 02-06 04-18 04-21 04-25 06-02 06-20 10-27 12-25 12-26");
    assert.equal(held(2026, "NZ"), "01-01 01-02 02-06 04-03 04-06 04-27 06-01 07-10 10-26 12-25 12-28");
    assert.equal(held(2027, "NZ"), "01-01 01-04 02-08 03-26 03-29 04-26 06-07 06-25 10-25 12-27 12-28");
  });

  test("Matariki is a Friday of June or July from 2022 to 2052, and unknown in other years", () => {
    const ofWinter = (year: number) =>
      bankHolidays(year, "NZ").filter((one) => one > `${year}-06-08` && one < `${year}-08`);
    for (let year = 2022; year <= 2052; year += 1) {
      const [matariki, ...more] = ofWinter(year);
      assert.deepEqual([new Date(`${matariki}T00:00Z`).getUTCDay(), more.length], [5, 0], String(year));
    }
    assert.deepEqual([ofWinter(2021), ofWinter(2053)], [[], []]);
  });

  test("weekends and holidays are no banking days; the days beside them are", () => {
    assert.equal(isBankingDay(day("2026-12-24"), "AU"), true);
    assert.equal(isBankingDay(day("2026-12-25"), "AU"), false);
    assert.equal(isBankingDay(day("2026-12-26"), "AU"), false);
    assert.equal(isBankingDay(day("2026-12-28"), "AU"), false);
    assert.equal(isBankingDay(day("2026-12-29"), "AU"), true);
    assert.deepEqual(
      [isBankingDay(day("2026-07-10"), "NZ"), isBankingDay(day("2026-07-10"), "AU")],
      [false, true],
    );
    assert.equal(bankingDayFrom(day("2026-12-25"), "AU"), "2026-12-29");
    assert.equal(bankingDayFrom(day("2026-12-29"), "AU"), "2026-12-29");
    assert.equal(bankingDayFrom(day("2026-11-15"), "AU"), "2026-11-16", "a Sunday");
  });

  test("banking days are counted over weekends, holidays and the end of a year", () => {
    assert.equal(bankingDaysAfter(day("2026-11-11"), 3, "AU"), "2026-11-16");
    assert.equal(bankingDaysAfter(day("2026-04-01"), 3, "AU"), "2026-04-08");
    assert.equal(bankingDaysAfter(day("2026-12-24"), 3, "AU"), "2026-12-31");
    assert.equal(bankingDaysAfter(day("2026-12-30"), 3, "NZ"), "2027-01-06");
    assert.equal(bankingDaysAfter(day("2026-11-11"), 0, "AU"), "2026-11-11");
  });

  test("the next banking day of any day is a banking day, at most five days away", () => {
    const days = fc.date({ min: new Date("2000-01-01"), max: new Date("2099-12-20"), noInvalidDate: true });
    fc.assert(
      fc.property(days, fc.constantFrom("AU" as const, "NZ" as const), (date, country) => {
        const from = day(date.toISOString().slice(0, 10));
        const next = bankingDayFrom(from, country);
        assert.ok(isBankingDay(next, country));
        const waited = (Date.parse(next) - Date.parse(from)) / 86_400_000;
        assert.ok(waited >= 0 && waited <= 5, `${from} ${next}`);
      }),
    );
  });
});

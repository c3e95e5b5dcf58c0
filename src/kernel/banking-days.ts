import type { Country } from "./country.ts";
import type { CalendarDay } from "./time.ts";

/**
 * Whether banks of that country settle payments on that day: not on weekends and not on bank holidays. Australia: the
 * holidays that New South Wales and Victoria share, on which banks do not settle with each other. New Zealand: the
 * national ones. Holidays of a single state or province, and one-off holidays that a government declares, are missing.
 */
export function isBankingDay(day: CalendarDay, country: Country): boolean {
  return !isWeekend(day) && !holidaysOf(Number(day.slice(0, 4)), country).has(day);
}

/** That day, or the first banking day after it. */
export function bankingDayFrom(day: CalendarDay, country: Country): CalendarDay {
  return isBankingDay(day, country) ? day : bankingDayFrom(plus(day, 1), country);
}

/** The banking day `count` banking days after that day. */
export function bankingDaysAfter(day: CalendarDay, count: number, country: Country): CalendarDay {
  return count === 0 ? day : bankingDaysAfter(bankingDayFrom(plus(day, 1), country), count - 1, country);
}

const HOLIDAYS: Readonly<Record<Country, (year: number) => readonly CalendarDay[]>> = {
  AU: australian,
  NZ: newZealand,
};

function holidaysOf(year: number, country: Country): ReadonlySet<CalendarDay> {
  return new Set(HOLIDAYS[country](year));
}

function australian(year: number): readonly CalendarDay[] {
  return [
    ...movedOffWeekends([dayOf(year, 1, 1)]),
    ...movedOffWeekends([dayOf(year, 1, 26)]),
    ...aroundEaster(year),
    // Both states keep Anzac Day on its date, weekend or not.
    dayOf(year, 4, 25),
    // The King's Birthday.
    monday(year, 6, 2),
    ...movedOffWeekends([dayOf(year, 12, 25), dayOf(year, 12, 26)]),
  ];
}

function newZealand(year: number): readonly CalendarDay[] {
  const matariki = MATARIKI[year];
  return [
    ...movedOffWeekends([dayOf(year, 1, 1), dayOf(year, 1, 2)]),
    // Waitangi Day.
    ...movedOffWeekends([dayOf(year, 2, 6)]),
    ...aroundEaster(year),
    ...movedOffWeekends([dayOf(year, 4, 25)]),
    // The King's Birthday.
    monday(year, 6, 1),
    ...(matariki === undefined ? [] : [matariki]),
    // Labour Day.
    monday(year, 10, 4),
    ...movedOffWeekends([dayOf(year, 12, 25), dayOf(year, 12, 26)]),
  ];
}

/** Matariki follows the moon: the Act that made it a holiday lists its dates from 2022 to 2052. Always a Friday. */
const MATARIKI: Readonly<Record<number, CalendarDay>> = Object.fromEntries(
  [
    ...["2022-06-24", "2023-07-14", "2024-06-28", "2025-06-20", "2026-07-10", "2027-06-25", "2028-07-14"],
    ...["2029-07-06", "2030-06-21", "2031-07-11", "2032-07-02", "2033-06-24", "2034-07-07", "2035-06-29"],
    ...["2036-07-18", "2037-07-10", "2038-06-25", "2039-07-15", "2040-07-06", "2041-07-19", "2042-07-11"],
    ...["2043-07-03", "2044-06-24", "2045-07-07", "2046-06-29", "2047-07-19", "2048-07-03", "2049-06-25"],
    ...["2050-07-15", "2051-06-30", "2052-06-21"],
  ].map((day) => [Number(day.slice(0, 4)), day as CalendarDay]),
);

/** Adjacent holidays: each that falls on a weekend moves to the next weekday that is not another of them. */
function movedOffWeekends(days: readonly CalendarDay[]): readonly CalendarDay[] {
  const observed: CalendarDay[] = days.filter((day) => !isWeekend(day));
  for (const day of days.filter(isWeekend)) {
    let moved = plus(day, 1);
    while (isWeekend(moved) || observed.includes(moved)) moved = plus(moved, 1);
    observed.push(moved);
  }
  return observed;
}

/** Good Friday and Easter Monday. */
function aroundEaster(year: number): readonly CalendarDay[] {
  const sunday = easterSunday(year);
  return [plus(sunday, -2), plus(sunday, 1)];
}

/** The Gregorian computus: the Sunday after the first full moon of the northern spring, by the tables of the church. */
export function easterSunday(year: number): CalendarDay {
  const century = Math.floor(year / 100);
  const golden = year % 19;
  const skipped = century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25);
  const epact = (skipped + 19 * golden + 15) % 30;
  // Two epacts move back by a day, so that no two years of a cycle share a full moon.
  const moon = epact - (epact > 28 || (epact === 28 && golden > 10) ? 1 : 0);
  const fullMoon = plus(dayOf(year, 3, 21), moon);
  return plus(fullMoon, 7 - weekdayOf(fullMoon));
}

/** The first, second, … Monday of a month. */
function monday(year: number, month: number, which: number): CalendarDay {
  const first = dayOf(year, month, 1);
  return plus(first, ((8 - weekdayOf(first)) % 7) + 7 * (which - 1));
}

function dayOf(year: number, month: number, day: number): CalendarDay {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10) as CalendarDay;
}

function plus(day: CalendarDay, days: number): CalendarDay {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10) as CalendarDay;
}

/** Sunday is 0. */
function weekdayOf(day: CalendarDay): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

function isWeekend(day: CalendarDay): boolean {
  return weekdayOf(day) % 6 === 0;
}

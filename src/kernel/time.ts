import { COUNTRIES, type TimeZone } from "./country.ts";

/** A moment in milliseconds since 1970, UTC. Callers pass it in: no function here reads a clock. */
export type Instant = number & { readonly __brand: "Instant" };

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export function instant(milliseconds: number): Instant {
  if (!Number.isSafeInteger(milliseconds)) throw new RangeError("a moment is a whole number of milliseconds");
  return milliseconds as Instant;
}

export function later(moment: Instant, milliseconds: number): Instant {
  return instant(moment + milliseconds);
}

export function earliest(one: Instant, other: Instant): Instant {
  return Math.min(one, other) as Instant;
}

export function latest(one: Instant, other: Instant): Instant {
  return Math.max(one, other) as Instant;
}

let written = { moment: Number.NaN, text: "" };

/** The wire form: ISO 8601, UTC, milliseconds, `Z`. One change writes its moment several times. */
export function toIso(moment: Instant): string {
  if (written.moment !== moment) written = { moment, text: new Date(moment).toISOString() };
  return written.text;
}

/** The time of a change. It strictly increases with every change, even if the clock stands still or steps back. */
export function changeTime(now: Instant, previous: Instant): Instant {
  return now > previous ? now : later(previous, 1);
}

/** The moments whose UTC year has four digits in the wire form, and is not the year 0, which PostgreSQL does not have. */
const FIRST = Date.parse("0001-01-01T00:00:00.000Z");
const LAST = Date.parse("9999-12-31T23:59:59.999Z");

/** A moment from outside; undefined if the wire form can't hold it. */
export function writable(milliseconds: number): Instant | undefined {
  return milliseconds >= FIRST && milliseconds <= LAST ? instant(milliseconds) : undefined;
}

const DATE_TIME = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * Parses an ISO 8601 date and time with a zone; undefined for anything else, 30 February included, and for a time that is
 * in the year 0 or 10000 in UTC. Parts of a millisecond are dropped.
 */
export function parseDateTime(text: string): Instant | undefined {
  const match = DATE_TIME.exec(text);
  if (match === null) return undefined;
  const [, date = "", hour = "", minute = "", second = "00", fraction = "", zone = ""] = match;
  // Midnight has one form here; any other hour, minute or second that no clock shows is refused by `Date.parse`.
  if (parseDate(date) === undefined || hour === "24") return undefined;
  const milliseconds = fraction.padEnd(3, "0").slice(0, 3);
  return writable(Date.parse(`${date}T${hour}:${minute}:${second}.${milliseconds}${zone}`));
}

/**
 * The same for an end of a range. Parts of a millisecond are rounded up: the range then begins and ends exactly where the text
 * says, whether it includes its end or not.
 */
export function parseBound(text: string): Instant | undefined {
  const moment = parseDateTime(text);
  const isBetween = moment !== undefined && moment < LAST && /\.\d{3}\d*[1-9]/.test(text);
  return isBetween ? later(moment, 1) : moment;
}

/** A calendar day as `yyyy-MM-dd`. Days compare as text. */
export type CalendarDay = string & { readonly __brand: "CalendarDay" };

const DAY_TEXT = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Parses a calendar day; undefined if there is no such day. */
export function parseDate(text: string): CalendarDay | undefined {
  const match = DAY_TEXT.exec(text);
  if (match === null) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  return text as CalendarDay;
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Created once: creating one takes longer than all other rules of a payment. */
const DAY_FORMATS = Object.fromEntries(
  Object.values(COUNTRIES).map(({ zone }) => [zone, dayFormat(zone)]),
) as Readonly<Record<TimeZone, Intl.DateTimeFormat>>;

function dayFormat(timeZone: TimeZone): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
}

/** The calendar day of that moment in that zone. */
export function dayInZone(moment: Instant, zone: TimeZone): CalendarDay {
  return DAY_FORMATS[zone].format(moment) as CalendarDay;
}

const CLOCK_FORMATS = new Map<TimeZone, Intl.DateTimeFormat>();

/** 2026-10-01 08:00:00 */
function clockFormat(timeZone: TimeZone): Intl.DateTimeFormat {
  const known = CLOCK_FORMATS.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  CLOCK_FORMATS.set(timeZone, made);
  return made;
}

/** ISO 8601 on the clocks of that zone, to the second: 2026-10-01T08:00:00+10:00. */
export function toLocalIso(moment: Instant, zone: TimeZone): string {
  const clock = clockFormat(zone).format(moment).replace(" ", "T");
  const minutes = Math.round((Date.parse(`${clock}Z`) - moment) / MINUTE);
  const ahead = Math.abs(minutes);
  const [hour, minute] = [Math.floor(ahead / 60), ahead % 60].map((one) => String(one).padStart(2, "0"));
  return `${clock}${minutes < 0 ? "-" : "+"}${hour}:${minute}`;
}

import type { TimeZone } from "../../kernel/country.ts";
import { type Instant, toIso } from "../../kernel/time.ts";

/** What identifies one message at the host. Repeats carry the same. */
export type Trace = {
  /** Field 11: the system trace audit number, unique for the terminal and the day. */
  readonly stan: string;
  /** Field 7: month, day and time in UTC. */
  readonly transmitted: string;
  /** Fields 12 and 13: time and date in the merchant's zone. */
  readonly localTime: string;
  readonly localDate: string;
  /** Field 37: the retrieval reference. Reversals and completions carry that of the payment. */
  readonly retrieval: string;
};

export function traceOf(stan: number, now: Instant, zone: TimeZone): Trace {
  const number = String(stan).padStart(6, "0");
  const [, month, day, hour, minute, second] = digitsOf(toIso(now));
  const parts = localParts(now, zone);
  const local = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? "";
  return {
    stan: number,
    transmitted: `${month}${day}${hour}${minute}${second}`,
    localTime: local("hour") + local("minute") + local("second"),
    localDate: local("month") + local("day"),
    retrieval: `${dayAndHour(now)}${number}`,
  };
}

/** The usual form of a retrieval reference: last digit of the year, day of the year, hour, trace number. */
function dayAndHour(now: Instant): string {
  const [year = "", , , hour = ""] = digitsOf(toIso(now));
  const day = Math.floor((now - Date.UTC(Number(year), 0, 1)) / 86_400_000) + 1;
  return `${year.slice(-1)}${String(day).padStart(3, "0")}${hour}`;
}

function digitsOf(iso: string): readonly string[] {
  return iso.slice(0, 19).split(/[-T:]/);
}

/** Creating a format takes longer than everything else here. */
const FORMATS = new Map<TimeZone, Intl.DateTimeFormat>();

function localParts(now: Instant, timeZone: TimeZone): readonly Intl.DateTimeFormatPart[] {
  const format = FORMATS.get(timeZone) ?? createFormat(timeZone);
  FORMATS.set(timeZone, format);
  return format.formatToParts(now);
}

function createFormat(timeZone: TimeZone): Intl.DateTimeFormat {
  const two = "2-digit";
  return new Intl.DateTimeFormat("en-GB", {
    timeZone,
    month: two,
    day: two,
    hour: two,
    minute: two,
    second: two,
    hourCycle: "h23",
  });
}

import { type Html, html } from "../../../browser/ui/html.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Created once per zone, because it is slow. */
const FORMATS = new Map<string, Intl.DateTimeFormat>();

function format(zone: string, kind: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const known = FORMATS.get(`${kind} ${zone}`);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat("en-AU", { timeZone: zone, ...options });
  FORMATS.set(`${kind} ${zone}`, made);
  return made;
}

/** 15 Nov 2026, 8:31:22 pm AEDT */
export function exactTime(moment: number, zone: string): string {
  return format(zone, "exact", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "numeric",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "short",
  }).format(moment);
}

/** 15 Nov 2026, 8:31 pm AEDT */
export function minuteTime(moment: number, zone: string): string {
  return format(zone, "minute", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
  }).format(moment);
}

/** AEDT */
export function zoneName(moment: number, zone: string): string {
  const parts = format(zone, "zone", { timeZoneName: "short" }).formatToParts(moment);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? zone;
}

/** 15 Nov, 8:31 pm; with the year where it is not the year of `now`. */
export function shortTime(moment: number, zone: string, now: number): string {
  const year = isThisYear(moment, zone, now) ? {} : ({ year: "numeric" } as const);
  const kind = "year" in year ? "short with year" : "short";
  return format(zone, kind, {
    day: "numeric",
    month: "short",
    ...year,
    hour: "numeric",
    minute: "2-digit",
  }).format(moment);
}

/** 15 Nov; with the year where it is not the year of `now`. */
export function dayText(moment: number, zone: string, now: number): string {
  return isThisYear(moment, zone, now)
    ? format(zone, "day", { day: "numeric", month: "short" }).format(moment)
    : format(zone, "day with year", { day: "numeric", month: "short", year: "numeric" }).format(moment);
}

function isThisYear(moment: number, zone: string, now: number): boolean {
  const year = format(zone, "year", { year: "numeric" });
  return year.format(moment) === year.format(now);
}

/** 2026-11-15 as people write it: 15 Nov 2026. A payout's day has no zone. */
export function calendarDay(day: string): string {
  const moment = Date.parse(`${day}T00:00:00Z`);
  return format("UTC", "calendar", { day: "numeric", month: "short", year: "numeric" }).format(moment);
}

/** 14:00 */
export function hourText(moment: number, zone: string): string {
  const text = format(zone, "hour", { hour: "2-digit", minute: "2-digit", hour12: false }).format(moment);
  // Some versions of ICU format midnight as 24:00.
  return text.replace(/^24/, "00");
}

/** 3 minutes ago, in 2 hours, just now. */
export function relativeTime(moment: number, now: number): string {
  const away = Math.abs(now - moment);
  if (away < 5 * SECOND) return "just now";
  const words = spanText(away);
  return moment <= now ? `${words} ago` : `in ${words}`;
}

/** When something is due: in 2 hours, or at any moment, also when it is late. */
export function dueText(moment: number, now: number): string {
  return moment - now < 5 * SECOND ? "at any moment" : relativeTime(moment, now);
}

/** The largest unit alone: 3 minutes, 1 hour, 12 days. */
export function spanText(milliseconds: number): string {
  const [unit, size] =
    milliseconds < MINUTE
      ? ["second", SECOND]
      : milliseconds < HOUR
        ? ["minute", MINUTE]
        : milliseconds < 2 * DAY
          ? ["hour", HOUR]
          : (["day", DAY] as const);
  const count = Math.max(1, Math.floor(milliseconds / Number(size)));
  return `${count.toLocaleString("en-AU")} ${unit}${count === 1 ? "" : "s"}`;
}

/** A moment in words, with the exact one for machines and on hover. */
export function timeElement(moment: number, zone: string, words: string): Html {
  return html`<time datetime="${new Date(moment).toISOString()}" title="${exactTime(moment, zone)}">${words}</time>`;
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const LONGEST = 366 * 86_400;

/** `90m`, `12h`, `2d`, or plain seconds; undefined for anything else, and for more than 366 days. */
export function secondsOf(text: string): number | undefined {
  const [, count, unit = "s"] = /^(\d{1,9})([smhd])?$/.exec(text) ?? [];
  const seconds = count === undefined ? 0 : Number(count) * (SECONDS[unit] ?? 0);
  return seconds >= 1 && seconds <= LONGEST ? seconds : undefined;
}

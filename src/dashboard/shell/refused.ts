import { CATALOGUE } from "../../kernel/codes/catalogue.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { MINUTE, SECOND } from "../../kernel/time.ts";
import type { Refused } from "./page.ts";

/** A refusal in words for people: the catalogue's meaning without its markup. */
export function refusedWords({ problems, status }: Refusal): Refused {
  const byField: Record<string, string> = {};
  const loose: string[] = [];
  for (const { code, field, verification, wait } of problems) {
    const known = verification?.reason ?? (wait === undefined ? undefined : waitWords(wait));
    const words = known ?? CATALOGUE[code].meaning.replaceAll("`", "");
    if (field === undefined || field === "") loose.push(words);
    else byField[field] ??= words;
  }
  const sentences = [...new Set([...loose, ...Object.values(byField)])];
  return { status, byField, sentences, words: sentences.join(" ") };
}

/** Rounded up, so that an attempt after that time is accepted. */
function waitWords(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / SECOND);
  const [count, unit] = seconds <= 90 ? [seconds, "second"] : [Math.ceil(milliseconds / MINUTE), "minute"];
  return `Too many attempts. Try again in ${count} ${unit}${count === 1 ? "" : "s"}.`;
}

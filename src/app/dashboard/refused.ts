import { CATALOGUE } from "../../kernel/codes/catalogue.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import type { Refused } from "./visit.ts";

/** A refusal of a verb in words for people: the catalogue's meaning, without the marks of its pages. */
export function refusedWords({ problems, status }: Refusal): Refused {
  const byField: Record<string, string> = {};
  const loose: string[] = [];
  for (const { code, field, verification } of problems) {
    const words = verification?.reason ?? CATALOGUE[code].meaning.replaceAll("`", "");
    if (field === undefined || field === "") loose.push(words);
    else byField[field] ??= words;
  }
  const all = [...new Set([...loose, ...Object.values(byField)])];
  return { status, byField, words: all.join(" ") };
}

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Answer, Calls } from "./calls.ts";

type Step = { readonly line: number; readonly call: string; readonly answer: unknown };

const BLOCK = /^```(http|json)\n([\s\S]*?)^```$/gm;

/** The calls of a guide, each with the answer that the guide shows for it, if it shows one. */
async function stepsOf(path: string): Promise<readonly Step[]> {
  const text = await readFile(new URL(`../../${path}`, import.meta.url), "utf8");
  const steps: Step[] = [];
  for (const { 1: kind = "", 2: inside = "", index } of text.matchAll(BLOCK)) {
    const line = text.slice(0, index).split("\n").length;
    if (kind === "http") steps.push({ line, call: inside, answer: {} });
    else
      steps.push({ ...(steps.pop() ?? assert.fail("an answer without a call")), answer: JSON.parse(inside) });
  }
  return steps;
}

/**
 * Runs every call of a guide in order. An id that ends in `…` stands for the first real one that an answer had in that
 * place, there and in all calls after it. Gives what was answered.
 */
export async function followGuide(path: string, { call }: Calls): Promise<readonly Answer[]> {
  const known = new Map<string, string>();
  const answers: Answer[] = [];
  for (const { line, call: asked, answer: shown } of await stepsOf(path)) {
    const [head = "", ...rest] = asked.replaceAll(/\b[a-z]+_…/g, (id) => known.get(id) ?? id).split("\n");
    const [method = "", target = ""] = head.split(" ");
    const body = rest.join("\n").trim();
    const answer = await call(target, { method, ...(body === "" ? {} : { body: JSON.parse(body) }) });
    assertShown(answer.body, shown, `${path}:${line}`, known);
    answers.push(answer);
  }
  return answers;
}

/** Everything that the guide shows is in the answer; the answer may have more. */
function assertShown(real: unknown, shown: unknown, place: string, known: Map<string, string>): void {
  if (typeof shown === "string" && shown.endsWith("…")) {
    assert.ok(typeof real === "string" && real.startsWith(shown.slice(0, -1)), `${place}: ${String(real)}`);
    if (shown !== "…" && !known.has(shown)) known.set(shown, real);
    if (shown !== "…") assert.equal(real, known.get(shown), place);
    return;
  }
  if (typeof shown !== "object" || shown === null) {
    assert.equal(real, shown, place);
    return;
  }
  assert.ok(typeof real === "object" && real !== null, place);
  if (Array.isArray(shown)) assert.equal((real as unknown[]).length, shown.length, `${place}: length`);
  for (const [name, value] of Object.entries(shown)) {
    assertShown((real as Record<string, unknown>)[name], value, `${place} ${name}`, known);
  }
}

import assert from "node:assert/strict";
import { CODES_BY_ID } from "../../src/kernel/codes/catalogue.ts";
import { findOutcome } from "../../src/kernel/codes/outcomes.ts";
import {
  type OutcomeOf,
  type PresentedCode,
  presentCode,
  presentOutcomeCode,
} from "../../src/kernel/codes/present-code.ts";

/** An entry of `result.codes` as the gateway at this address shows it, by number and name: `D04451 insufficient_funds`. */
export function shownCode(code: string, baseUrl: string, of?: OutcomeOf): PresentedCode {
  const [id = "", message] = code.split(" ");
  const outcome = findOutcome(id);
  const refusal = Object.entries(CODES_BY_ID).find(([known]) => known === id)?.[1];
  const shown = refusal
    ? presentCode(refusal.message, baseUrl)
    : presentOutcomeCode(outcome ?? assert.fail(`the catalogue has no ${id}`), baseUrl, of);
  assert.equal(shown.message, message);
  return shown;
}

/** An entry without its sentence and link, which have to be those of the catalogue. */
export function checkedCode<Code extends PresentedCode>(code: Code): Omit<Code, "detail" | "docs"> {
  const { detail, docs, ...rest } = code;
  const base = docs.slice(0, docs.indexOf("/docs/"));
  assert.match(base, /^https?:\/\/[^/]+$/);
  const shown = shownCode(`${code.id} ${code.message}`, base);
  assert.deepEqual([detail, docs], [shown.detail, shown.docs]);
  return rest;
}

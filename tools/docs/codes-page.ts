import { CODES_BY_ID } from "../../src/kernel/codes/catalogue.ts";
import { OUTCOME_DETAILS } from "../../src/kernel/codes/outcome-details.ts";
import { OUTCOMES, type OutcomeName } from "../../src/kernel/codes/outcomes.ts";
import { page, table } from "./markdown.ts";

export function codesPage(): string {
  const rows = Object.entries(CODES_BY_ID).map(([id, { message, status, meaning }]) => [
    `\`${id}\``,
    `\`${message}\``,
    String(status),
    meaning,
  ]);
  return page("Codes", "the catalogue in [src/kernel/codes](../../src/kernel/codes)", [
    "Every code that an answer can carry in `result.codes`. A letter and five digits: `A` approved, `D` declined, `V` refused, `S` system error. A code never changes its meaning. The sentence beside each is the `detail` of the answer; `field` there names a refused field.",
    table(["Code", "Message", "HTTP", "What to do"], rows),
    "## What banks answer",
    "An approval or a decline is an answer, not an error: it comes with HTTP 200. The sentences are those of payments; a refund, a capture or a cancellation has its own as `detail`.",
    table(
      ["Code", "Message", "What to do"],
      Object.entries(OUTCOMES).map(([message, id]) => [
        `\`${id}\``,
        `\`${message}\``,
        OUTCOME_DETAILS[message as OutcomeName],
      ]),
    ),
  ]);
}

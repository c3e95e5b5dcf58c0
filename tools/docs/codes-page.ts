import { CODES_BY_ID } from "../../src/kernel/codes/catalogue.ts";
import { OUTCOMES } from "../../src/kernel/codes/outcomes.ts";
import { page, table } from "./markdown.ts";

export function codesPage(): string {
  const rows = Object.entries(CODES_BY_ID).map(([id, { message, status, meaning }]) => [
    `\`${id}\``,
    `\`${message}\``,
    String(status),
    meaning,
  ]);
  return page("Codes", "the catalogue in [src/kernel/codes](../../src/kernel/codes)", [
    "Every code that an answer can carry in `result.codes`. A letter and five digits: `A` approved, `D` declined, `V` refused, `S` system error. A code never changes its meaning. For a refused field (named by `field` in the answer), the meaning says which values are allowed.",
    table(["Code", "Message", "HTTP", "Meaning"], rows),
    "## What banks answer",
    "An approval or a decline is an answer, not an error: it comes with HTTP 200.",
    table(
      ["Code", "Message"],
      Object.entries(OUTCOMES).map(([message, id]) => [`\`${id}\``, `\`${message}\``]),
    ),
  ]);
}

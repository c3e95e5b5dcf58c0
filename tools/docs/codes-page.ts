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
    "Every code that the gateway can answer, in `result.codes`. Letter and five digits: `A` approved, `D` declined, `V` refused, `S` trouble on our side. A code never changes its meaning. Of a field that is refused (`field` in the answer names it) the meaning says what it takes.",
    table(["Code", "Message", "HTTP", "Meaning"], rows),
    "## What banks answer",
    "An approval or a decline is an answer, not an error: it comes with HTTP 200.",
    table(
      ["Code", "Message"],
      Object.entries(OUTCOMES).map(([message, id]) => [`\`${id}\``, `\`${message}\``]),
    ),
  ]);
}

import { answer } from "./schema.ts";

/** What every entry of `result.codes` has. */
export const CODE_FIELDS = {
  id: answer.text("Letter and five digits; never changes its meaning."),
  message: answer.text("The code's name."),
  detail: answer.text("One sentence that says what to do; its words may change."),
  docs: answer.text("Link to the code in the docs of this gateway."),
} as const;

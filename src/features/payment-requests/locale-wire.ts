import { LANGUAGE_TAG, LONGEST_TAG } from "../../kernel/languages/language-tag.ts";
import { formatted, optional } from "../../platform/http/schema.ts";

export const LocaleBody = optional(
  formatted({
    code: "payment_request_locale_invalid",
    max: LONGEST_TAG,
    pattern: LANGUAGE_TAG,
    free: true,
    about:
      "The payer's language: a BCP 47 tag such as `zh-Hans`. Default: the payer's browser decides. A language that the gateway does not have becomes English.",
  }),
);

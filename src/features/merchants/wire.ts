import { CARD_TYPES } from "../../kernel/card-type.ts";
import {
  answer,
  flag,
  formatted,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  text,
} from "../../platform/http/schema.ts";
import { CAPABILITIES } from "./merchant.ts";

const CAPABILITY = optional(flag({ code: "V11304" }));

const RATE = object(
  { code: "V11310", about: "What paying with this card type costs on top." },
  {
    percent: optional(
      number({ code: "V11311", min: 0, max: 100, about: "Percent of the amount, at most 4 decimals." }),
    ),
    fixed: optional(
      integer({ code: "V11312", min: 0, max: 1_000_000, about: "Cents beside the percentage." }),
    ),
    from: optional(
      nullable({ code: "V11313" }, formatted({ code: "V11313", format: "date", about: "First day." })),
    ),
    until: optional(
      nullable({ code: "V11314" }, formatted({ code: "V11314", format: "date", about: "Last day." })),
    ),
  },
);

function forEach<const Name extends string, Field>(names: readonly Name[], field: Field) {
  return Object.fromEntries(names.map((name) => [name, field])) as { [name in Name]: Field };
}

/** Body of `PUT /management/account`: any subset, in nested objects too. */
export const AccountChangeAsk = object(
  { code: "V11005" },
  {
    name: optional(text({ code: "V11300", max: 140 })),
    country: optional(oneOf({ code: "V11301", among: ["AU", "NZ"] })),
    currencyCode: optional(oneOf({ code: "V11302", among: ["AUD", "NZD"] })),
    capabilities: optional(object({ code: "V11303" }, forEach(CAPABILITIES, CAPABILITY))),
    allowedOrigins: optional(
      list(
        {
          code: "V11305",
          max: 50,
          unique: true,
          about: "Pages that may embed the checkout; empty: any page.",
        },
        formatted({ code: "V11306", format: "origin" }),
      ),
    ),
    surcharging: optional(
      object(
        { code: "V11307" },
        {
          enabled: optional(flag({ code: "V11308" })),
          rates: optional(
            object({ code: "V11309" }, forEach(CARD_TYPES, optional(nullable({ code: "V11310" }, RATE)))),
          ),
        },
      ),
    ),
  },
);

const RATE_ANSWER = answer.object({
  percent: answer.number(),
  fixed: answer.integer(),
  from: answer.optional(answer.text()),
  until: answer.optional(answer.text()),
});

export const RESULT_OK = answer.object({ mode: answer.oneOf("sandbox", "live"), status: answer.oneOf("ok") });

export const AccountAnswer = answer.object({
  id: answer.id("mer"),
  name: answer.text(),
  country: answer.oneOf("AU", "NZ"),
  currencyCode: answer.oneOf("AUD", "NZD"),
  capabilities: answer.object(forEach(CAPABILITIES, answer.flag())),
  allowedOrigins: answer.list(answer.text()),
  surcharging: answer.object({
    enabled: answer.flag(),
    rates: answer.object(forEach(CARD_TYPES, answer.optional(RATE_ANSWER))),
  }),
  createdDateTime: answer.time(),
  updatedDateTime: answer.time(),
  result: RESULT_OK,
});

import { MAX_CENTS } from "../../kernel/money.ts";
import { WALLETS } from "../../kernel/wallets.ts";
import {
  flag,
  formatted,
  integer,
  object,
  oneOf,
  opaque,
  optional,
  type Static,
  text,
} from "../../platform/http/schema.ts";

/** What the frame sends; what the merchant's page never sees. */
export const InitialiseBody = object(
  { code: "V11005" },
  {
    token: text({ code: "V11610", max: 200 }),
    parentOrigin: text({ code: "V11611", max: 2_048 }),
    version: oneOf({ code: "V11603", among: ["1.0.0"] }),
  },
);

const CARD = object(
  { code: "V10090" },
  {
    number: formatted({ code: "V10090", pattern: "^[0-9]{12,19}$" }),
    expiryMonth: integer({ code: "V10087", min: 1, max: 12 }),
    expiryYear: integer({ code: "V10088", min: 2000, max: 2200 }),
    securityCode: formatted({ code: "V10089", pattern: "^[0-9]{3,4}$" }),
    name: optional(text({ code: "V10086", min: 0, max: 100 })),
  },
);

export const PayBody = object(
  { code: "V11005" },
  {
    method: oneOf({ code: "V11616", among: ["card", ...WALLETS] }),
    card: optional(CARD),
    wallet: optional(object({ code: "V11620" }, { token: opaque({ code: "V11620" }) })),
    total: integer({ code: "V11613", min: 1, max: 2 * MAX_CENTS }),
    consent: flag({ code: "V11614" }),
  },
);

export type PayAsk = Static<typeof PayBody>;
export type CardAsk = Static<typeof CARD>;

export const AppleSessionBody = object(
  { code: "V11005" },
  { validationURL: text({ code: "V11630", max: 2_048 }) },
);

export const PlayBody = object(
  { code: "V11005" },
  {
    card: text({ code: "V11631", max: 64 }),
    total: integer({ code: "V11613", min: 1, max: 2 * MAX_CENTS }),
  },
);

export const ContinueBody = object({ code: "V11005" }, { sealed: text({ code: "V11617", max: 4_096 }) });
export const AbandonBody = object({ code: "V11005" }, { session: text({ code: "V11615", max: 200 }) });

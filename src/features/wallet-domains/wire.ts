import { answer, list, object, plainText } from "../../platform/http/schema.ts";
import { RESULT_OK } from "../merchants/index.ts";
import { DOMAINS_AT_MOST } from "./wallet-domain.ts";

export const DomainsBody = object(
  { code: "body_object_invalid" },
  {
    domains: list(
      {
        code: "wallet_domains_invalid",
        about: "Domains of the pages that show the Apple Pay button.",
        min: 1,
        max: DOMAINS_AT_MOST,
      },
      plainText({ code: "wallet_domain_invalid", max: 253, about: "Such as `shop.example`." }),
    ),
  },
);

export const DomainsAnswer = answer.object({
  domains: answer.list(answer.text()),
  registrations: answer.list(
    answer.object({
      domain: answer.text(),
      status: answer.oneOf("registered"),
      registeredDateTime: answer.time(),
    }),
  ),
  result: RESULT_OK,
});

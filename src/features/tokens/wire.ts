import { answer, object, oneOf, plainText } from "../../platform/http/schema.ts";
import { RESULT_OK } from "../merchants/index.ts";

/** Body of `POST /tokens`. */
export const TokenBody = object(
  { code: "body_object_invalid" },
  {
    scope: oneOf({
      code: "token_scope_invalid",
      about: "What the token is for: the embedded checkout.",
      among: ["payui"],
    }),
    paymentRequestId: plainText({
      code: "token_payment_request_id_invalid",
      about: "The payment request that it pays.",
      max: 64,
    }),
  },
);

export const TokenAnswer = answer.object({
  token: answer.text(
    "For `SVC.PayUI.initialise` in the browser. It pays once; until then a page of the same origin can initialise it again.",
  ),
  tokenType: answer.oneOf("onetimetoken"),
  scope: answer.oneOf("payui"),
  expiryDateTime: answer.time(),
  result: RESULT_OK,
});

import {
  answer,
  formatted,
  nullable,
  object,
  oneOf,
  optional,
  plainText,
  text,
} from "../../platform/http/schema.ts";
import { EVENT_VALUES } from "../../platform/outbox/publish.ts";
import { RESULT_OK } from "../merchants/index.ts";
import { ALL_EVENTS, CREDENTIAL_HEADERS, WEBHOOK_STATUSES } from "./webhook.ts";

/** What a subscription can be for. A merchant has at most one subscription for each. */
export const SUBSCRIBED_VALUES = [ALL_EVENTS, ...EVENT_VALUES] as const;

const URL_FIELD = formatted({
  code: "webhook_url_invalid",
  format: "web-url",
  free: true,
  max: 2_048,
  about: "Where the gateway posts events; https for a live merchant.",
});

/** Body of `POST /webhooks`. */
export const WebhookBody = object(
  { code: "body_object_invalid" },
  {
    event: oneOf({
      code: "webhook_event_invalid",
      among: SUBSCRIBED_VALUES,
      about: "One event value, or `*` for all; beside a subscription to one, both deliver.",
    }),
    url: URL_FIELD,
  },
);

/** Body of `PUT /webhooks/{id}`: any subset. */
export const WebhookChangeBody = object(
  { code: "body_object_invalid" },
  {
    url: optional(URL_FIELD),
    status: optional(
      oneOf({
        code: "webhook_status_invalid",
        about: "`disabled`: nothing is delivered. `active` again: what changes from then on is.",
        among: WEBHOOK_STATUSES,
      }),
    ),
  },
);

/** Body of `PUT /webhooks/settings`: any subset. */
export const SettingsBody = object(
  { code: "body_object_invalid" },
  {
    username: optional(
      nullable(
        {
          code: "webhook_settings_username_invalid",
          about:
            "User name for basic authentication at your endpoint. Null, with a null password, removes both.",
        },
        text({ code: "webhook_settings_username_invalid", max: 255 }),
      ),
    ),
    password: optional(
      nullable(
        {
          code: "webhook_settings_password_invalid",
          about: "Its password; never returned. Null, with a null user name, removes both.",
        },
        plainText({ code: "webhook_settings_password_invalid", max: 255 }),
      ),
    ),
    header: optional(
      nullable(
        {
          code: "webhook_settings_header_invalid",
          about: "The header that carries both. Null: `Authorization`.",
        },
        oneOf({ code: "webhook_settings_header_invalid", among: CREDENTIAL_HEADERS }),
      ),
    ),
  },
);

const WEBHOOK_ANSWER = {
  id: answer.id("whk"),
  event: answer.oneOf(...SUBSCRIBED_VALUES),
  url: answer.text(),
  status: answer.oneOf(...WEBHOOK_STATUSES),
  createdDateTime: answer.time(),
  updatedDateTime: answer.time(),
  result: RESULT_OK,
};

export const WebhookAnswer = answer.object(WEBHOOK_ANSWER);

export const WebhookGoneAnswer = answer.object({ id: answer.id("whk"), result: RESULT_OK });

export const SigningKeyAnswer = answer.object({
  signingKey: answer.text("Its UTF-8 bytes are the HMAC key of `X-Signature`."),
  standardWebhooksSecret: answer.text("The same bytes, for Standard Webhooks libraries."),
  createdDateTime: answer.time(),
  result: RESULT_OK,
});

export const SettingsAnswer = answer.object({
  username: answer.nullable(answer.text()),
  header: answer.oneOf(...CREDENTIAL_HEADERS),
  result: RESULT_OK,
});

export const TestAnswer = answer.object({
  id: answer.id("evt"),
  webhookId: answer.id("whk"),
  event: answer.oneOf("ping"),
  status: answer.oneOf("delivered", "failed"),
  httpStatus: answer.nullable(answer.integer()),
  latencyMs: answer.integer(),
  error: answer.nullable(answer.text("Why it was not acknowledged.")),
  result: RESULT_OK,
});

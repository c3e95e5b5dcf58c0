import type { Call } from "../call.ts";
import type {
  ChangeWebhookBody,
  ChangeWebhookSettingsBody,
  CreateWebhookBody,
  Operations,
} from "../generated/api.ts";
import type { CallOptions } from "../options.ts";
import { eachOf, type FiltersOf } from "../pages.ts";
import { shown } from "../shown.ts";

type Query = Operations["listWebhooks"]["query"];

export function webhooksOf(call: Call) {
  const read = { reads: "getWebhook" } as const;
  return {
    /** One subscription per event value. */
    create: (body: CreateWebhookBody, options?: CallOptions) => {
      const proof = shown<"createWebhook">("subscription", { event: body.event });
      return call("createWebhook", { body, recovery: { ...read, proof } }, options);
    },
    get: (webhookId: string, options?: CallOptions) => call("getWebhook", { params: { webhookId } }, options),
    /** Changes the URL, or enables it again with `status` `active`. */
    update: (webhookId: string, body: ChangeWebhookBody, options?: CallOptions) =>
      call(
        "changeWebhook",
        { params: { webhookId }, body, recovery: { ...read, proof: shown("change", body) } },
        options,
      ),
    delete: (webhookId: string, options?: CallOptions) =>
      call("deleteWebhook", { params: { webhookId }, recovery: "gone" }, options),
    list: (query?: Query, options?: CallOptions) => call("listWebhooks", { query }, options),
    listAll: (filters?: FiltersOf<"listWebhooks">, options?: CallOptions) =>
      eachOf(call, "listWebhooks", { filters }, options),
    /** Sends a `ping` and returns its outcome. */
    test: (webhookId: string, options?: CallOptions) =>
      call("testWebhook", { params: { webhookId }, recovery: "again" }, options),
    signingKey: {
      get: (options?: CallOptions) => call("getWebhookSigningKey", {}, options),
      /** The old key keeps signing beside the new one for a day. */
      rotate: (options?: CallOptions) =>
        call("rotateWebhookSigningKey", { recovery: { reads: "getWebhookSigningKey" } }, options),
    },
    settings: {
      get: (options?: CallOptions) => call("getWebhookSettings", {}, options),
      update: (body: ChangeWebhookSettingsBody, options?: CallOptions) => {
        // No answer shows the password. Null restores the default header.
        const fields = {
          username: body.username,
          header: body.header === null ? "Authorization" : body.header,
        };
        const proof = shown<"changeWebhookSettings">("change", fields);
        return call(
          "changeWebhookSettings",
          { body, recovery: { reads: "getWebhookSettings", proof } },
          options,
        );
      },
    },
  };
}

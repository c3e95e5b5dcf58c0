import { holdsCardNumber } from "./card-numbers.ts";
import { isByUpdate } from "./facts.ts";
import type { Body } from "./fuzz-request.ts";
import { CHARGE_RULES, INSTRUMENT_RULES } from "./instrument-rules.ts";
import { PAYMENT_REQUEST_RULES } from "./payment-request-rules.ts";
import { STATE_RULES } from "./state-rules.ts";
import { between, breaksIf, type Rules } from "./verdict.ts";

const EVERYWHERE: Rules = {
  ...STATE_RULES,
  // Only free text is refused for it, which descriptions don't tell from ids; a reference is free text everywhere.
  text_card_number_refused: ({ body, query, request }) =>
    between(
      [body?.["reference"], query["reference"]].some(
        (one) => typeof one === "string" && /^4(?:1{15})$/.test(one),
      ),
      holdsCardNumber([body, request.query]),
    ),
  query_created_to_invalid: ({ query }) => breaksIf(isBackwards(query["createdFrom"], query["createdTo"])),
  query_updated_to_invalid: ({ query }) => breaksIf(isBackwards(query["updatedFrom"], query["updatedTo"])),
  // A cursor that this operation answered fits it, in a list of the same order. Any other may or may not.
  query_cursor_invalid: ({ query, request, facts }) =>
    between(
      false,
      query["cursor"] !== undefined &&
        !(facts.cursors.get(request.operationId) ?? []).some(
          (one) => one.text === query["cursor"] && one.isByUpdate === isByUpdate(request),
        ),
    ),
};

const BY_OPERATION: Readonly<Record<string, Rules>> = {
  createPaymentRequest: PAYMENT_REQUEST_RULES,
  createTransaction: CHARGE_RULES,
  createPaymentInstrument: INSTRUMENT_RULES.create,
  changePaymentInstrument: INSTRUMENT_RULES.change,
  createToken: {
    token_payment_request_id_invalid: ({ body, facts }) => breaksIf(!facts.isKnown(body["paymentRequestId"])),
  },
  changeAccount: {
    // A date that is left out stays as it is stored.
    account_surcharging_until_invalid: ({ body }) => {
      const rates: readonly Body[] = Object.values(body["surcharging"]?.rates ?? {}).filter(
        (rate) => rate !== null,
      ) as readonly Body[];
      return between(
        rates.some(({ from, until }) => from != null && until != null && until < from),
        rates.some(
          ({ from, until }) =>
            from !== null &&
            until !== null &&
            (from ?? until) !== undefined &&
            (from === undefined || until === undefined),
        ),
      );
    },
  },
  createWebhook: webhookRules(),
  changeWebhook: webhookRules(),
  changeWebhookSettings: {
    // The one without the other is refused; what is left out stays as it is stored.
    webhook_settings_username_invalid: ({ body: { username, password } }) =>
      between(
        username?.includes(":") === true || (username === null && typeof password === "string"),
        (username === null && password === undefined) || (username === undefined && password !== null),
      ),
    webhook_settings_password_invalid: ({ body: { username, password } }) =>
      between(
        typeof username === "string" && password === null,
        (typeof username === "string" && password === undefined) ||
          (username === undefined && password === null),
      ),
  },
  redeliverEvents: {
    event_redelivery_to_invalid: ({ body: { createdFrom, createdTo } }) =>
      breaksIf(Date.parse(createdTo) <= Date.parse(createdFrom)),
  },
};

export function rulesOf(operationId: string): Rules {
  return { ...EVERYWHERE, ...BY_OPERATION[operationId] };
}

/** The generator's URLs have addresses: a sandbox merchant of a gateway on loopback reaches loopback and the public. */
function webhookRules(): Rules {
  return {
    webhook_url_address_invalid: ({ body }) => {
      const host = URL.parse(body["url"] ?? "")?.hostname ?? "";
      if (["127.0.0.1", "[::1]", ""].includes(host)) return "keeps";
      return between(host.startsWith("10."), true);
    },
    webhook_url_port_invalid: ({ body }) => {
      const port = URL.parse(body["url"] ?? "")?.port ?? "";
      return breaksIf(port !== "" && Number(port) < 1_024 && !["80", "443"].includes(port));
    },
  };
}

function isBackwards(from: unknown, to: unknown): boolean {
  return typeof from === "string" && typeof to === "string" && Date.parse(to) < Date.parse(from);
}

import type { OpenApiDocument } from "../../../src/platform/http/openapi-shape.ts";
import type { Validator } from "../../support/described-answers.ts";
import { operationsOf } from "../../support/openapi-rules.ts";
import type { FuzzRequest } from "./request-of.ts";

/** No description says it, and no text may have it: half a surrogate pair, or a control character. */
const UNWRITABLE = /\\u(?:d[89a-f]|00)/i;
const JSON_TYPE = "application/json";

/** Messages of rules that a JSON schema can't state: another record, a second field, the clock or the merchant decides. */
const BEYOND_SCHEMA: ReadonlySet<string> = new Set([
  "card_expiry_year_invalid",
  "payment_request_customer_id_invalid",
  "payment_request_customer_email_invalid",
  "payment_request_customer_name_invalid",
  "text_card_number_refused",
  "payment_request_amount_invalid",
  "payment_request_currency_code_invalid",
  "payment_request_expiry_date_time_invalid",
  "payment_request_customer_allow_removal_invalid",
  "payment_request_agreement_details_invalid",
  "payment_request_agreement_end_date_invalid",
  "payment_request_collect_address_invalid",
  "hosted_payment_page_logo_invalid",
  "hosted_payment_page_redirect_url_invalid",
  "hosted_payment_page_line_items_invalid",
  "hosted_payment_page_adjustment_order_invalid",
  "hosted_payment_page_totals_mismatch",
  "hosted_payment_page_theme_variable_invalid",
  "hosted_payment_page_theme_font_invalid",
  "account_surcharging_until_invalid",
  "token_payment_request_id_invalid",
  "charge_customer_id_invalid",
  "charge_payment_instrument_id_invalid",
  "payment_instrument_account_name_invalid",
  "payment_instrument_account_number_invalid",
  "payment_instrument_type_mismatch",
  "webhook_url_address_invalid",
  "webhook_url_port_invalid",
  "webhook_settings_username_invalid",
  "webhook_settings_password_invalid",
  "event_redelivery_to_invalid",
  "dispute_text_invalid",
]);

/**
 * Whether a body was accepted exactly when it should have been: one that the description refuses is never accepted, and
 * one that matches it is refused only by a rule that no schema states. Returns the problems.
 */
export function acceptanceProblems(
  document: OpenApiDocument,
  validator: Validator,
  request: FuzzRequest,
  answer: { readonly status: number; readonly body: unknown },
): readonly string[] {
  const placed = operationsOf(document).find(
    ({ operation }) => operation.operationId === request.operationId,
  );
  const described = placed?.operation.requestBody as
    | { readonly content: Readonly<Record<string, unknown>> }
    | undefined;
  if (placed === undefined || described?.content[JSON_TYPE] === undefined || request.body === undefined)
    return [];
  const place = ["paths", placed.path, placed.method, "requestBody", "content", JSON_TYPE, "schema"];
  const text = JSON.stringify(request.body);
  const refused = validator(JSON.parse(text), ...place);
  if (refused.length > 0)
    return answer.status < 300 ? refused.map((problem) => `accepted, although ${problem}`) : [];
  if (answer.status !== 400 || UNWRITABLE.test(text)) return [];
  const { result } = Object(answer.body) as { result?: { codes?: readonly Code[] } };
  return (result?.codes ?? [])
    .filter(({ message }) => !message.startsWith("query_") && !BEYOND_SCHEMA.has(message))
    .map(({ id, message }) => `refused with ${id} ${message}, although its description accepts it`);
}

type Code = { readonly id: string; readonly message: string };

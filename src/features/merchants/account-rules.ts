import { CARD_TYPES } from "../../kernel/card-type.ts";
import type { Problem } from "../../kernel/refusal.ts";
import { compileValidator, type Loose, withRules } from "../../platform/http/validate.ts";
import { type AccountChange, changedAccount, type Merchant } from "./merchant.ts";
import { AccountChangeInput } from "./wire.ts";

const checkShape = compileValidator(AccountChangeInput, "body_field_unknown");

/** Every problem of a change that did not come over HTTP. */
export function accountChangeProblems(change: unknown, merchant: Merchant): readonly Problem[] {
  const checked = checkShape(change);
  const rules =
    checked.loose === undefined ? [] : accountProblems(checked.loose as Loose<AccountChange>, merchant);
  return withRules(checked, rules);
}

/** Rules between the fields of an account change and the stored account. */
export function accountProblems(change: Loose<AccountChange>, merchant: Merchant): readonly Problem[] {
  const rates = change.surcharging?.rates ?? {};
  const after = changedAccount(merchant, change as AccountChange).surcharging.rates;
  return CARD_TYPES.flatMap((cardType): Problem[] => {
    const field = `/surcharging/rates/${cardType}`;
    const rate = after[cardType];
    if (rates[cardType] == null || rate === undefined) return [];
    const tooFine = !/^\d+(\.\d{1,4})?$/.test(String(rate.percent));
    const backwards = rate.from !== undefined && rate.until !== undefined && rate.until < rate.from;
    return [
      ...(tooFine
        ? [{ code: "account_surcharging_percent_invalid", field: `${field}/percent` } as const]
        : []),
      ...(backwards ? [{ code: "account_surcharging_until_invalid", field: `${field}/until` } as const] : []),
    ];
  });
}

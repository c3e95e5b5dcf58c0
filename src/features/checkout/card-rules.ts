import type { Problem } from "../../kernel/refusal.ts";
import type { Instant } from "../../kernel/time.ts";
import { cardProblems, expiryProblems, type TypedCard } from "../../platform/cards/check-card.ts";
import { compileValidator, type Loose, type Sound, withRules } from "../../platform/http/validate.ts";
import { PayBody, type PayInput } from "./wire.ts";

/** Problems between the fields of a payment, and with the typed card, except its expiry. */
export function payProblems(input: Loose<PayInput>, sound: Sound): readonly Problem[] {
  const typed = input.card === undefined ? [] : cardProblems({ ...EMPTY, ...input.card });
  return [...methodProblems(input, sound), ...typed.filter(({ field }) => sound(field))];
}

/** The method decides: a typed card, a saved one or a wallet's token, never two of them. */
function methodProblems(
  { method, card, savedCard, wallet }: Loose<PayInput>,
  sound: Sound,
): readonly Problem[] {
  if (method === undefined) return [];
  const isSaved = savedCard !== undefined || !sound("/savedCard");
  const notSaved = isSaved ? [{ code: "body_field_unknown", field: "/savedCard" } as const] : [];
  if (method === "card") {
    return [
      ...(card === undefined
        ? isSaved
          ? []
          : [{ code: "card_number_invalid", field: "/card" } as const]
        : notSaved),
      ...(wallet === undefined ? [] : [{ code: "body_field_unknown", field: "/wallet" } as const]),
    ];
  }
  return [
    ...(wallet === undefined ? [{ code: "wallet_token_unreadable", field: "/wallet" } as const] : []),
    ...(card === undefined ? [] : [{ code: "body_field_unknown", field: "/card" } as const]),
    ...notSaved,
  ];
}

/** Problems with the typed card's expiry by the merchant's clock. Its month ends in UTC. */
export function typedExpiryProblems(
  { card }: Loose<PayInput>,
  now: Instant,
  sound: Sound = () => true,
): readonly Problem[] {
  if (card === undefined) return [];
  const today = new Date(now);
  const month = { year: today.getUTCFullYear(), month: today.getUTCMonth() + 1 };
  return expiryProblems({ ...EMPTY, ...card }, month).filter(({ field }) => sound(field));
}

const EMPTY: TypedCard = { number: "", expiryMonth: 0, expiryYear: 0, securityCode: "" };

const checkPay = compileValidator(PayBody, "body_field_unknown");

/** All problems of a payment that is not JSON: a form post without scripts. */
export function problemsOfPay(input: unknown, now: Instant): readonly Problem[] {
  const checked = checkPay(input);
  const loose = checked.loose as Loose<PayInput> | undefined;
  if (loose === undefined) return checked.problems;
  const { sound } = checked;
  return withRules(checked, [...payProblems(loose, sound), ...typedExpiryProblems(loose, now, sound)]);
}

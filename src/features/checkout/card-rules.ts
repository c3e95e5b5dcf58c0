import type { Problem } from "../../kernel/refusal.ts";
import { type Instant, toIso } from "../../kernel/time.ts";
import { cardProblems, type TypedCard } from "../../platform/cards/check-card.ts";
import { compileValidator, type Loose, type Sound, withRules } from "../../platform/http/validate.ts";
import { PayBody, type PayInput } from "./wire.ts";

/** Problems between the fields of a payment, and with the typed card. */
export function payProblems(input: Loose<PayInput>, now: Instant, sound: Sound): readonly Problem[] {
  return [...methodProblems(input, sound), ...typedProblems(input, now, sound)];
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

/** A card's expiry month ends in UTC. */
function typedProblems(input: Loose<PayInput>, now: Instant, sound: Sound): readonly Problem[] {
  if (input.card === undefined) return [];
  const [year, month] = toIso(now).split("-").map(Number);
  const found = cardProblems({ ...EMPTY, ...input.card }, { year: year ?? 0, month: month ?? 0 });
  return found.filter((problem) => sound(problem.field));
}

const EMPTY: TypedCard = { number: "", expiryMonth: 0, expiryYear: 0, securityCode: "" };

const checkPay = compileValidator(PayBody, "body_field_unknown");

/** All problems of a payment that is not JSON: a form post without scripts. */
export function problemsOfPay(input: unknown, now: Instant): readonly Problem[] {
  const checked = checkPay(input);
  const loose = checked.loose as Loose<PayInput> | undefined;
  return withRules(checked, loose === undefined ? [] : payProblems(loose, now, checked.sound));
}

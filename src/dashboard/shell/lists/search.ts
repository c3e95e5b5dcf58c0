import { MAX_TOTAL_CENTS, readCents } from "../../../kernel/money.ts";
import type { Parameter } from "../../../platform/db/database.ts";
import { pairText } from "../../../platform/db/metadata-pairs.ts";
import type { SearchKind } from "./listing.ts";

export type Searched = { readonly kind: SearchKind; readonly value: Parameter };

/** Everything that a searched text can mean: 4111 is a reference, the last digits of a card and an amount. */
export function searchedFor(typed: string): readonly Searched[] {
  const text = typed.trim();
  const amount = readCents(text.replace(/^\$/, "").replace(/,(?=\d{3}(\D|$))/g, ""), MAX_TOTAL_CENTS);
  const pair = text.indexOf("=");
  return [
    { kind: "reference", value: text },
    ...(/^\d{4}$/.test(text) ? [{ kind: "last4" as const, value: text }] : []),
    ...(amount === undefined ? [] : [{ kind: "amount" as const, value: amount }]),
    ...(pair > 0 ? [{ kind: "metadata" as const, value: pairOf(text) }] : []),
    ...(pair < 1 && text.includes("@") ? [{ kind: "email" as const, value: text }] : []),
  ];
}

/** A text without an equals sign is no pair and matches no row. */
export function pairOf(text: string): string {
  const cut = text.indexOf("=");
  return pairText({ key: text.slice(0, Math.max(0, cut)).trim(), value: text.slice(cut + 1) });
}

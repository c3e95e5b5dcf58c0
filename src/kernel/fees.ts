import type { Cents } from "./money.ts";
import type { Source } from "./source.ts";
import { costAt, type Rate } from "./surcharge.ts";

/** What a merchant pays per payment, by its source. A source without a rate costs nothing. */
export type Fees = { readonly [source in Source]?: Rate };

/** The fee of a payment: percent of what was captured, rounded half up, plus the fixed cents. */
export function feeOf(fees: Fees, source: Source, captured: Cents): Cents {
  return captured === 0 ? captured : costAt(captured, fees[source]);
}

import { defined } from "../../kernel/defined.ts";
import {
  cents,
  divideHalfUp,
  lineTotal,
  quantityToThousandths,
  thousandthsToQuantity,
} from "../../kernel/money.ts";

import type { ThemeFont } from "../../kernel/theme-fonts.ts";
import type { ThemeVariable } from "../../kernel/theme-variables.ts";

export const RESULT_PAGES = ["show", "redirect", "none"] as const;
export type ResultPage = (typeof RESULT_PAGES)[number];

export const ADJUSTMENT_TYPES = ["Other", "Discount", "Shipping", "Tax"] as const;
export type AdjustmentType = (typeof ADJUSTMENT_TYPES)[number];

export type LineItem = {
  readonly title: string;
  readonly image?: string;
  readonly amount: number;
  readonly quantity: number;
  readonly modifier?: string;
};

export type Adjustment = {
  readonly title: string;
  readonly amount: number;
  readonly adjustmentType: AdjustmentType;
  readonly order?: number;
};

/** What it leaves open comes from the merchant's default theme. */
export type PageTheme = {
  readonly theme?: "light" | "dark";
  readonly variables?: { readonly [name in ThemeVariable]?: string };
  readonly font?: ThemeFont;
};

/** What the hosted page shows in addition to the payment. The logo is stored separately: lists and events omit it. */
export type HostedPage = {
  readonly merchantName: string;
  readonly resultPage: ResultPage;
  readonly redirectUrl?: string;
  /** Where the payer can go without paying. */
  readonly cancelUrl?: string;
  readonly lineItems?: readonly LineItem[];
  readonly adjustments?: readonly Adjustment[];
  readonly attempts: number;
  readonly theme?: PageTheme;
};

/** The merchant's input, without defaults. */
export type HostedPageInput = Partial<Omit<HostedPage, "lineItems" | "adjustments">> & {
  readonly logo: string;
  readonly lineItems?: readonly (Omit<LineItem, "quantity"> & { readonly quantity?: number })[];
  readonly adjustments?: readonly (Omit<Adjustment, "adjustmentType"> & {
    readonly adjustmentType: string;
  })[];
};

/** Fills in the defaults, rounds quantities to three decimals and spells adjustment types as the specification does. */
export function hostedPageOf(input: HostedPageInput, accountName: string): HostedPage {
  const { logo: _, lineItems, adjustments, ...rest } = input;
  return {
    ...rest,
    merchantName: input.merchantName ?? accountName,
    resultPage: input.resultPage ?? "show",
    attempts: input.attempts ?? 1,
    ...defined({
      lineItems: filled(lineItems)?.map((item) => ({ ...item, quantity: rounded(item.quantity) })),
      adjustments: filled(adjustments)?.map(normalised),
    }),
  };
}

/** An empty list is the same as none. */
export function filled<Item>(list: readonly Item[] | undefined): readonly Item[] | undefined {
  return list?.length === 0 ? undefined : list;
}

function rounded(quantity = 1): number {
  return thousandthsToQuantity(quantityToThousandths(quantity));
}

function normalised(adjustment: {
  readonly title: string;
  readonly amount: number;
  readonly adjustmentType: string;
}): Adjustment {
  const wanted = adjustment.adjustmentType.toLowerCase();
  const adjustmentType = ADJUSTMENT_TYPES.find((one) => one.toLowerCase() === wanted);
  if (adjustmentType === undefined) throw new Error("the schema let an unknown adjustment type through");
  return { ...adjustment, adjustmentType };
}

/**
 * The total of line items and adjustments, exact, in the two ways in which shops compute it: each line rounded half up to a
 * cent, or only their sum.
 */
export function totalsOf(
  lineItems: readonly { readonly amount: number; readonly quantity?: number }[],
  adjustments: readonly { readonly amount: number }[],
): { readonly roundedLines: bigint; readonly roundedSum: bigint } {
  const lines = lineItems.map(({ amount, quantity = 1 }) => ({
    amount: cents(amount),
    quantity: quantityToThousandths(quantity),
  }));
  const adjusted = added(adjustments.map(({ amount }) => BigInt(amount)));
  const exact = added(lines.map(({ amount, quantity }) => BigInt(amount) * quantity));
  return {
    roundedLines: adjusted + added(lines.map(({ amount, quantity }) => lineTotal(amount, quantity))),
    roundedSum: adjusted + divideHalfUp(exact, 1000n),
  };
}

function added(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, one) => sum + one, 0n);
}

import { type Html, html } from "../../../browser/ui/html.ts";
import { icon } from "../../../browser/ui/icons.ts";
import { merchantText } from "../../../browser/ui/merchant-text.ts";
import type { Catalogue, PageWords } from "../../kernel/languages/catalogue.ts";
import { fill, type Speech } from "../../kernel/languages/speech.ts";

const CHEVRON = icon("chevron", 16, html`<path stroke-width="1.75" d="m4 6 4 4 4-4"/>`);

export type OrderItem = {
  readonly title: string;
  readonly image?: string;
  readonly amount: number;
  readonly quantity: number;
  readonly modifier?: string;
  /** Amount times quantity, rounded to a cent. */
  readonly total: number;
};

export type OrderAdjustment = {
  readonly title: string;
  readonly amount: number;
  readonly order?: number;
};

export type Order = {
  readonly heading: string;
  /** 0: a card is saved, and there is no price. */
  readonly amount: number;
  /** Of the card that pays, once it is known. */
  readonly surcharge: number;
  /** The account has surcharging. */
  readonly surcharging: boolean;
  readonly currencyCode: string;
  readonly description?: string;
  readonly items: readonly OrderItem[];
  readonly adjustments: readonly OrderAdjustment[];
};

/** How the page speaks to its payer. */
type PayersWords = { readonly language: Catalogue; readonly speech: Speech };

/**
 * The order: the total first, then its parts. Its name is a heading only after the page's own: before it, a second level
 * would stand above the first.
 */
export function orderSummary(payers: PayersWords, order: Order, place: "before" | "after"): Html {
  const { money } = payers.speech;
  const name = html`class="order-heading" id="order-heading">${order.heading}`;
  return html`<section class="order" aria-labelledby="order-heading">
${place === "before" ? html`<p ${name}</p>` : html`<h2 ${name}</h2>`}
${order.amount > 0 && html`<p class="order-amount"><span class="order-total">${money(totalOf(order))}</span> <span class="order-currency">${order.currencyCode}</span></p>`}
${order.description !== undefined && html`<p class="order-description">${merchantText(order.description)}</p>`}
${order.items.length > 0 && breakdown(payers, order)}
</section>`;
}

/** One line on a phone, which leads to the items, so that the form is in view at once. A wide window shows them. */
function breakdown(payers: PayersWords, order: Order): Html {
  const { language } = payers;
  return html`<details class="breakdown">
<summary>${itemCount(language, order.items.length)}${CHEVRON}</summary>
<ul class="items" tabindex="0" aria-label="${language.page.items}">${order.items.map((one) => item(payers, one))}</ul>
${(order.adjustments.length > 0 || roundingOf(order) !== 0 || order.surcharging) && sums(payers, order)}
</details>`;
}

function item({ language, speech: { money } }: PayersWords, one: OrderItem): Html {
  return html`<li class="item">${one.image !== undefined && html`<span class="item-picture"><img src="${one.image}" alt="" width="48" height="48" loading="lazy" decoding="async" referrerpolicy="no-referrer"></span>`}<span class="item-words"><span class="item-title">${merchantText(one.title)}</span>${quantityOf(language, money, one)}</span><span class="item-total">${money(one.total)}</span></li>`;
}

/** The quantity; omitted for one item without a unit. */
function quantityOf(
  { numbers }: Catalogue,
  money: Speech["money"],
  { quantity, modifier, amount }: OrderItem,
): Html {
  if (quantity === 1 && modifier === undefined) return html``;
  const count = new Intl.NumberFormat(numbers, { useGrouping: false, maximumFractionDigits: 3 }).format(
    quantity,
  );
  const unit = modifier === undefined ? html`` : html` ${merchantText(modifier)}`;
  return html`<span class="item-quantity">${count}${unit} × ${money(amount)}</span>`;
}

const ITEMS = {
  zero: "itemsOther",
  one: "itemsOne",
  two: "itemsTwo",
  few: "itemsFew",
  many: "itemsMany",
  other: "itemsOther",
} as const satisfies Readonly<Record<Intl.LDMLPluralRule, keyof PageWords>>;

function itemCount({ numbers, page }: Catalogue, count: number): string {
  return fill(page[ITEMS[new Intl.PluralRules(numbers).select(count)]], { count });
}

/** Hidden where the items add up by themselves. The page's script shows the surcharge of the card that the payer enters. */
function sums({ language: { page }, speech: { words, money } }: PayersWords, order: Order): Html {
  const rounding = roundingOf(order);
  const isForSurcharge = order.adjustments.length === 0 && rounding === 0;
  return html`<dl class="sums"${isForSurcharge && html` data-for-surcharge`}${isForSurcharge && order.surcharge === 0 && html` hidden`}>
<div><dt>${page.subtotal}</dt><dd>${money(sumOf(order.items.map(({ total }) => total)))}</dd></div>
${rounding !== 0 && html`<div><dt>${page.rounding}</dt><dd>${money(rounding)}</dd></div>`}
${inOrder(order.adjustments).map((one) => html`<div><dt>${merchantText(one.title)}</dt><dd>${money(one.amount)}</dd></div>`)}
<div class="sums-surcharge"${order.surcharge === 0 && html` hidden`}><dt>${words.surcharge}</dt><dd>${money(order.surcharge)}</dd></div>
${order.amount > 0 && html`<div class="sums-total"><dt>${words.total}</dt><dd>${money(totalOf(order))}</dd></div>`}
</dl>`;
}

function totalOf({ amount, surcharge }: Order): number {
  return amount + surcharge;
}

/** What the amount differs by from the lines as shown: a shop may round only the sum. */
function roundingOf({ amount, items, adjustments }: Order): number {
  return amount - sumOf(items.map(({ total }) => total)) - sumOf(adjustments.map((one) => one.amount));
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, one) => sum + one, 0);
}

/** In the merchant's order; without numbers as the merchant sent them. */
function inOrder(adjustments: readonly OrderAdjustment[]): readonly OrderAdjustment[] {
  return [...adjustments].sort((one, other) => (one.order ?? 0) - (other.order ?? 0));
}

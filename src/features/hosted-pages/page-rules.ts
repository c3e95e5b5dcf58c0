import type { CodeName } from "../../kernel/codes/catalogue.ts";
import { defined } from "../../kernel/defined.ts";
import type { Mode } from "../../kernel/mode.ts";
import { cents, lineTotal, MAX_CENTS, quantityToThousandths } from "../../kernel/money.ts";
import type { Problem } from "../../kernel/refusal.ts";
import { isSafeValue, THEME_VARIABLES } from "../../kernel/theme-variables.ts";
import type { Loose, Sound } from "../../platform/http/validate.ts";
import { inspectLogo, type LogoProblem, logoReason } from "../../platform/images/inspect-logo.ts";
import { filled, type HostedPageInput, totalsOf } from "./hosted-page.ts";

const PAGE = "/hostedPaymentPage";

const LOGO_CODES: Readonly<Record<LogoProblem, CodeName>> = {
  not_data_uri: "hosted_payment_page_logo_invalid",
  type_unsupported: "hosted_payment_page_logo_invalid",
  too_large: "hosted_payment_page_logo_too_large",
  bytes_invalid: "hosted_payment_page_logo_bytes_invalid",
  svg_unsafe: "hosted_payment_page_logo_svg_unsafe",
};

/** Rules between the fields of a hosted page and the amount of its payment request. */
export function hostedPageProblems(
  page: Loose<HostedPageInput>,
  { amount, mode }: { readonly amount: number | undefined; readonly mode: Mode },
  sound: Sound,
): readonly Problem[] {
  return [
    ...logoProblems(page.logo),
    ...redirectProblems(page),
    ...(mode === "live" ? plainUrlProblems(page) : []),
    ...themeProblems(page),
    ...quantityProblems(page),
    ...orderProblems(page, sound),
    ...adjustmentsWithoutItems(page),
    ...totalProblems(page, amount, sound),
  ];
}

function logoProblems(logo: string | undefined): readonly Problem[] {
  const problem = logo === undefined ? undefined : inspectLogo(logo);
  if (logo === undefined || problem === undefined) return [];
  const reason = logoReason(logo, problem);
  return [{ code: LOGO_CODES[problem], field: `${PAGE}/logo`, ...defined({ reason }) }];
}

function redirectProblems(page: Loose<HostedPageInput>): readonly Problem[] {
  const missing = page.resultPage === "redirect" && page.redirectUrl === undefined;
  return missing ? [{ code: "hosted_payment_page_redirect_url_invalid", field: `${PAGE}/redirectUrl` }] : [];
}

/** A payer who paid in live mode does not go back without encryption. */
function plainUrlProblems({ redirectUrl, cancelUrl }: Loose<HostedPageInput>): readonly Problem[] {
  const isPlain = (url: string | undefined) => url?.toLowerCase().startsWith("http:") === true;
  return [
    ...(isPlain(redirectUrl)
      ? [{ code: "hosted_payment_page_redirect_url_invalid", field: `${PAGE}/redirectUrl` } as const]
      : []),
    ...(isPlain(cancelUrl)
      ? [{ code: "hosted_payment_page_cancel_url_invalid", field: `${PAGE}/cancelUrl` } as const]
      : []),
  ];
}

/** A value becomes CSS; the checks are those of the embedded checkout. A font has one source. */
function themeProblems({ theme }: Loose<HostedPageInput>): readonly Problem[] {
  const place = `${PAGE}/theme`;
  const variables = theme?.variables ?? {};
  return [
    ...THEME_VARIABLES.flatMap((name): readonly Problem[] => {
      const value = variables[name];
      if (value === undefined || isSafeValue(name, value)) return [];
      return [{ code: "hosted_payment_page_theme_variable_invalid", field: `${place}/variables/${name}` }];
    }),
    ...(theme?.font === undefined || variables.fontFamily === undefined
      ? []
      : [{ code: "hosted_payment_page_theme_font_invalid", field: `${place}/font` } as const]),
  ];
}

/** 0.0004 is above 0, but 0 after rounding. No line is larger than the largest payment. */
function quantityProblems(page: Loose<HostedPageInput>): readonly Problem[] {
  return (page.lineItems ?? []).flatMap((item, index): Problem[] => {
    if (item?.quantity === undefined) return [];
    const quantity = quantityToThousandths(item.quantity);
    const isLarge = lineTotal(cents(item.amount ?? 0), quantity) > MAX_CENTS;
    return quantity === 0n || isLarge
      ? [
          {
            code: "hosted_payment_page_line_item_quantity_invalid",
            field: `${PAGE}/lineItems/${index}/quantity`,
          },
        ]
      : [];
  });
}

/** `order` is on all adjustments or on none, and no two are the same. */
function orderProblems(page: Loose<HostedPageInput>, sound: Sound): readonly Problem[] {
  const adjustments = page.adjustments ?? [];
  const isIncomplete = adjustments.some(
    (one, index) => one === undefined || !sound(`${PAGE}/adjustments/${index}/order`),
  );
  if (isIncomplete || adjustments.every((one) => one?.order === undefined)) return [];
  const seen = new Set<number>();
  return adjustments.flatMap((adjustment, index): Problem[] => {
    const order = adjustment?.order;
    const isValid = order !== undefined && !seen.has(order);
    if (order !== undefined) seen.add(order);
    return isValid
      ? []
      : [
          {
            code: "hosted_payment_page_adjustment_order_invalid",
            field: `${PAGE}/adjustments/${index}/order`,
          },
        ];
  });
}

function adjustmentsWithoutItems(page: Loose<HostedPageInput>): readonly Problem[] {
  const missing = filled(page.adjustments) !== undefined && filled(page.lineItems) === undefined;
  return missing ? [{ code: "hosted_payment_page_line_items_invalid", field: `${PAGE}/lineItems` }] : [];
}

/** The total is checked only when all of its parts are valid: otherwise it has no meaning. */
function totalProblems(
  page: Loose<HostedPageInput>,
  amount: number | undefined,
  sound: Sound,
): readonly Problem[] {
  if (amount === undefined || filled(page.lineItems) === undefined) return [];
  const isWhole =
    (page.lineItems ?? []).every(
      (item, index) => item?.amount !== undefined && sound(`${PAGE}/lineItems/${index}/quantity`),
    ) &&
    (page.adjustments?.every((one) => one?.amount !== undefined) ?? sound(`${PAGE}/adjustments`)) &&
    quantityProblems(page).length === 0;
  if (!isWhole) return [];
  const { lineItems, adjustments } = page as HostedPageInput;
  const { roundedLines, roundedSum } = totalsOf(lineItems ?? [], adjustments ?? []);
  if (roundedLines === BigInt(amount) || roundedSum === BigInt(amount)) return [];
  return [
    {
      code: "hosted_payment_page_totals_mismatch",
      field: "/payment/amount",
      totals: { expected: Number(roundedLines), given: amount },
    },
  ];
}

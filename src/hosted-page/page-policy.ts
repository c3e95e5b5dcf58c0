import { REPORT_DIRECTIVE } from "../features/page-reports/index.ts";
import type { PaymentRequest } from "../features/payment-requests/index.ts";
import { NO_VENDORS, type VendorSources } from "./checkout-frame/vendor-sources.ts";

type PolicySources = {
  /** The `integrity` of each script of the page. */
  readonly scripts: readonly string[];
  readonly vendors?: VendorSources;
  /** Of banks that ask the payer to confirm. */
  readonly frames?: readonly string[];
  readonly forms?: readonly string[];
};

/**
 * The content security policy of a hosted page: its own style, frames and pictures, and its scripts, each by its hash.
 * `'self'` stays beside the hashes, because some browsers compare hashes with inline scripts only: without it payers there
 * would lose scripts and wallets. Browsers check `form-action` against every redirect after a form post, including later
 * ones on the merchant's site; so a page with a redirect to the merchant allows any target, and the scheme of the merchant's
 * app. A page that offers a wallet in live mode allows its vendor's sources, one whose payers meet a real bank its frames.
 */
export function pagePolicy(
  request: PaymentRequest | undefined,
  { scripts, vendors = NO_VENDORS, frames = [], forms = [] }: PolicySources,
): string {
  const { redirectUrl, resultPage } = request?.details.hostedPage ?? {};
  const targets =
    redirectUrl === undefined || resultPage !== "redirect"
      ? []
      : [...new Set(["http:", "https:", new URL(redirectUrl).protocol])];
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scripts.map((hash) => `'${hash}'`), ...vendors.scripts].join(" "),
    ["style-src 'self'", ...vendors.styles].join(" "),
    "img-src 'self'",
    ["connect-src 'self'", ...vendors.connections].join(" "),
    ["frame-src 'self'", ...vendors.frames, ...frames].join(" "),
    ["form-action 'self'", ...new Set([...targets, ...forms])].join(" "),
    "base-uri 'none'",
    "frame-ancestors 'none'",
    REPORT_DIRECTIVE,
  ].join("; ");
}

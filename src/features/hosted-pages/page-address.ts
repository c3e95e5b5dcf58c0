import { type Id, parseId } from "../../kernel/ids.ts";
import { isRail, type RailWithPage } from "../../kernel/source.ts";
import { randomText } from "../../platform/crypto/secrets.ts";

/** Where the requests of a rail have their pages, on the origin of the hosted pages. */
export function railPath(rail: RailWithPage): string {
  return `/${rail}`;
}

/** Where the sandbox has its bank app, on the origin of the hosted pages. */
export const BANK_APP_PATH = "/sandbox/bankapp";

/**
 * The bank app's page for one PayID request. Its id is unguessable, so only those who were given the link can see and pay
 * it; the PayID finds the request.
 */
export function bankAppLink(requestId: string, payId: string): string {
  return `${BANK_APP_PATH}/${requestId}?${new URLSearchParams({ payId }).toString()}`;
}

/** The secret part of a hosted page's URL: whose page it is, then 192 random bits. */
export function newPageKey(merchantId: Id<"merchant">): string {
  return `${merchantId.slice("mer_".length)}${randomText(24)}`;
}

const RANDOM_CHARS = 32;

/** The merchant that a key names; keys from before migration 65 name none. */
export function merchantOfPageKey(key: string): Id<"merchant"> | undefined {
  return parseId("merchant", `mer_${key.slice(0, -RANDOM_CHARS)}`);
}

/** Whether a text has the format of a page key. */
export function isPageKey(text: string): boolean {
  return /^[\w-]{1,64}$/.test(text);
}

/** The token with which a merchant's page shows the panel of a PayID. Like the page's key, of which it is made, it pays nothing. */
export function payIdToken(pageKey: string): string {
  return `tok_${pageKey.slice(0, -RANDOM_CHARS)}p_${pageKey.slice(-RANDOM_CHARS)}`;
}

/** The page's key in such a token. */
export function pageKeyOfToken(token: string): string | undefined {
  const [, hint, secret] = /^tok_([0-9a-z]{29})p_([\w-]{32})$/.exec(token) ?? [];
  return hint === undefined || secret === undefined ? undefined : hint + secret;
}

/** The page of a request: the hosted page, or that of its rail. */
export function pageUrl(
  hostedUrl: string,
  { flow, pageKey }: { readonly flow: string; readonly pageKey: string },
): string {
  return `${hostedUrl}${isRail(flow) ? railPath(flow) : "/pay"}/${pageKey}`;
}

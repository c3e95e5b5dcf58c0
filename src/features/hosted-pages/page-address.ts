import { randomText } from "../../platform/crypto/secrets.ts";

/** Where the sandbox has its bank app, on the origin of the hosted pages. */
export const BANK_APP_PATH = "/sandbox/bankapp";

/**
 * The bank app's page for one PayID request. Its id is unguessable, so only those who were given the link can see and pay
 * it; the PayID finds the request.
 */
export function bankAppLink(requestId: string, payId: string): string {
  return `${BANK_APP_PATH}/${requestId}?${new URLSearchParams({ payId }).toString()}`;
}

/** The unguessable part of a hosted page's URL: 192 random bits. */
export function newPageKey(): string {
  return randomText(24);
}

/** Whether a text has the format of a page key. */
export function isPageKey(text: string): boolean {
  return /^[\w-]{1,64}$/.test(text);
}

export function pageUrl(hostedUrl: string, pageKey: string): string {
  return `${hostedUrl}/pay/${pageKey}`;
}

import { randomText } from "../../platform/crypto/secrets.ts";

/** Where the sandbox has its bank app, on the origin of the hosted pages. */
export const BANK_APP_PATH = "/sandbox/bankapp";

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

import { randomText } from "../../platform/crypto/secrets.ts";

/** The part of a hosted page's address that nobody can guess: 192 random bits. */
export function newPageKey(): string {
  return randomText(24);
}

/** Whether a text can be such a key at all. */
export function isPageKey(text: string): boolean {
  return /^[\w-]{1,64}$/.test(text);
}

export function pageUrl(hostedUrl: string, pageKey: string): string {
  return `${hostedUrl}/pay/${pageKey}`;
}

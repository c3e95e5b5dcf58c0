import { randomText } from "../../platform/crypto/secrets.ts";

/** The part of a hosted page's address that nobody can guess: 192 random bits. */
export function newPageKey(): string {
  return randomText(24);
}

export function pageUrl(hostedUrl: string, pageKey: string): string {
  return `${hostedUrl}/pay/${pageKey}`;
}

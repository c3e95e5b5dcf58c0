import type { PageTheme } from "../protocol/messages.ts";

/**
 * The colour scheme that the page declares where the checkout appears, in CSS or else in its meta tag. Undefined: it
 * declares none, or the browser is too old to know.
 */
export function pageThemeAt(container: HTMLElement): PageTheme | undefined {
  const declared = themeIn(getComputedStyle(container).getPropertyValue("color-scheme"));
  if (declared !== undefined) return declared;
  const meta = document.querySelector<HTMLMetaElement>('meta[name="color-scheme"]');
  return themeIn(meta === null ? "" : meta.content);
}

function themeIn(scheme: string): PageTheme | undefined {
  const [light, dark] = [/\blight\b/i.test(scheme), /\bdark\b/i.test(scheme)];
  if (light && dark) return "light dark";
  if (light) return "light";
  return dark ? "dark" : undefined;
}

/**
 * The checkout is served from this script's origin. `currentScript` is set only during the script's first run and is
 * missing for a module; then the script tag is found by its URL.
 */
export function findHostedOrigin(): string | undefined {
  const running = document.currentScript;
  const url = running instanceof HTMLScriptElement ? running.src : scriptUrl();
  try {
    return url === undefined ? undefined : new URL(url).origin;
  } catch (_invalid) {
    return undefined;
  }
}

function scriptUrl(): string | undefined {
  const script = document.querySelector<HTMLScriptElement>('script[src*="/static/pay/"][src*="payui.js"]');
  return script === null ? undefined : script.src;
}

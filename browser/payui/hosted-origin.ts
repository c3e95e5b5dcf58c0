/**
 * The checkout is served from where this script came from. `currentScript` is set only while the script runs for the
 * first time, and is missing for a module; then the script tag is looked up by its address.
 */
export function findHostedOrigin(): string | undefined {
  const running = document.currentScript;
  const address = running instanceof HTMLScriptElement ? running.src : scriptAddress();
  try {
    return address === undefined ? undefined : new URL(address).origin;
  } catch (_invalid) {
    return undefined;
  }
}

function scriptAddress(): string | undefined {
  const script = document.querySelector<HTMLScriptElement>('script[src*="/static/pay/"][src*="payui.js"]');
  return script === null ? undefined : script.src;
}

import type { CheckoutConfig } from "./check-config.ts";

/** About the height of the form, so that the page shifts little when it appears; wallet buttons add to it. */
const FIRST_HEIGHT = 404;
const WALLETS_HEIGHT = 104;

export function makeFrame(config: CheckoutConfig, hostedOrigin: string): HTMLIFrameElement {
  const frame = document.createElement("iframe");
  frame.title = "Secure card payment";
  frame.setAttribute("scrolling", "no");
  // A frame's permissions are fixed when its page loads. Only a wallet's sheet needs one.
  const hasWallets = config.mark === "w";
  if (hasWallets) frame.setAttribute("allow", "payment");
  const page = config.mark === "p" ? "payid" : `frame${hasWallets ? "/wallets" : ""}`;
  const query = config.locale === undefined ? "" : `?locale=${config.locale}`;
  frame.src = `${hostedOrigin}/checkout/${config.version}/${config.merchantHint}/${page}${query}`;
  const { style } = frame;
  style.display = "block";
  style.width = "100%";
  style.border = "0";
  style.height = `${FIRST_HEIGHT + (hasWallets ? WALLETS_HEIGHT : 0)}px`;
  // A frame whose colour scheme differs from its element's gets an opaque canvas: a white flash on a dark page.
  style.setProperty("color-scheme", config.ui.theme ?? config.ui.pageTheme ?? "light dark");
  // Shown when it reports its height, which it does after it has applied its theme.
  style.opacity = "0";
  return frame;
}

export function setHeight(frame: HTMLIFrameElement, height: number): void {
  frame.style.height = `${height}px`;
  frame.style.opacity = "1";
}

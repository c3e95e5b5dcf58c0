import type { Order } from "./check-config.ts";

/** About the height of the form, so that the page moves little when it appears; wallets stand above it. */
const FIRST_HEIGHT = 404;
const WALLETS_HEIGHT = 104;

export function makeFrame(order: Order, hostedOrigin: string): HTMLIFrameElement {
  const frame = document.createElement("iframe");
  frame.title = "Secure card payment";
  frame.setAttribute("scrolling", "no");
  // What a frame may do is settled when its page is loaded: a wallet's own sheet needs leave, and nothing else gets it.
  if (order.wallets) frame.setAttribute("allow", "payment");
  const page = order.wallets ? "frame/wallets" : "frame";
  frame.src = `${hostedOrigin}/checkout/${order.version}/${order.merchantHint}/${page}`;
  const { style } = frame;
  style.display = "block";
  style.width = "100%";
  style.border = "0";
  style.height = `${FIRST_HEIGHT + (order.wallets ? WALLETS_HEIGHT : 0)}px`;
  // A frame whose colour scheme is not that of its element gets an opaque canvas: a white flash on a dark page.
  style.setProperty("color-scheme", typeof order.ui.theme === "string" ? order.ui.theme : "light dark");
  // Shown when it reports its height, which it does once it wears its theme.
  style.opacity = "0";
  return frame;
}

export function setHeight(frame: HTMLIFrameElement, height: number): void {
  frame.style.height = `${height}px`;
  frame.style.opacity = "1";
}

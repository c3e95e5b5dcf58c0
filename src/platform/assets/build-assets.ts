import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { stop } from "esbuild";
import { type Asset, makeAsset } from "./asset.ts";
import { bundle } from "./bundle.ts";

export type Assets = {
  /** The loader, which merchants' pages include. */
  readonly payui: Asset;
  /** Its types, for pages written in TypeScript. */
  readonly payuiTypes: Asset;
  readonly checkoutScript: Asset;
  readonly checkoutStyle: Asset;
  readonly hostedScript: Asset;
  readonly hostedStyle: Asset;
  /** The page inside the frame. It names script and style by their hash. */
  readonly checkoutFrame: Asset;
};

/** The version in the addresses; the loader and the frame have the same one. */
export const CHECKOUT_VERSION = "1.0.0";

const BROWSER_FOLDER = join(import.meta.dirname, "../../../browser");

let underWay: Promise<Assets> | undefined;

/**
 * Bundles all browser code. It runs once at start, so that a checkout needs no build step and can't be out of date.
 * Gateways that start in one process at the same time share a build: the first to be done stops the bundler of all.
 */
export function buildAssets(): Promise<Assets> {
  underWay ??= build().finally(() => {
    underWay = undefined;
  });
  return underWay;
}

async function build(): Promise<Assets> {
  try {
    const [payui, payuiTypes, script, style, hostedScript, hostedStyle, page] = await Promise.all([
      bundle("payui/main.ts"),
      readFile(join(BROWSER_FOLDER, "payui/payui.d.ts"), "utf8"),
      bundle("checkout/main.ts"),
      bundle("ui/styles.css"),
      bundle("hosted-page/main.ts"),
      bundle("hosted-page/styles.css"),
      readFile(join(BROWSER_FOLDER, "checkout/frame.html"), "utf8"),
    ]);
    const checkoutScript = makeAsset(script, "text/javascript; charset=utf-8");
    const checkoutStyle = makeAsset(style, "text/css; charset=utf-8");
    return {
      payui: makeAsset(payui, "text/javascript; charset=utf-8"),
      payuiTypes: makeAsset(payuiTypes, "text/plain; charset=utf-8"),
      checkoutScript,
      checkoutStyle,
      hostedScript: makeAsset(hostedScript, "text/javascript; charset=utf-8"),
      hostedStyle: makeAsset(hostedStyle, "text/css; charset=utf-8"),
      checkoutFrame: makeAsset(
        page
          .replace("{{script}}", hashedPath(checkoutScript, "checkout.js"))
          .replace("{{style}}", hashedPath(checkoutStyle, "checkout.css")),
        "text/html; charset=utf-8",
      ),
    };
  } finally {
    // The bundler is a process of its own; nothing is left for it to do.
    await stop();
  }
}

export function hashedPath({ hash }: Asset, name: string): string {
  return `/static/pay/${CHECKOUT_VERSION}/${hash}/${name}`;
}

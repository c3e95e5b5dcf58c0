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
  readonly dashboardScript: Asset;
  readonly dashboardStyle: Asset;
  /** Of the docs: search, copy buttons, tabs. */
  readonly docsScript: Asset;
  /** What Apple Pay and Google Pay need, for pages that offer one. */
  readonly walletsScript: Asset;
  readonly walletsStyle: Asset;
  /** The panel of a PayID, in a frame or on a page of its own. */
  readonly payIdScript: Asset;
  readonly payIdStyle: Asset;
  /** The page inside the frame, without wallets and with. It names scripts and styles by their hash. */
  readonly checkoutFrame: Asset;
  readonly walletsFrame: Asset;
};

/** The version in the addresses; the loader and the frame have the same one. */
export const CHECKOUT_VERSION = "1.0.0";

const BROWSER_FOLDER = join(import.meta.dirname, "../../../browser");

let built: Promise<Assets> | undefined;

/**
 * Bundles all browser code. It runs once in a process, at its start, so that a checkout needs no build step and can't be
 * out of date. Another gateway in the process gets the same assets; after a failure the next one builds again.
 */
export function buildAssets(): Promise<Assets> {
  built ??= bundleAssets().catch((error: unknown) => {
    built = undefined;
    throw error;
  });
  return built;
}

/** Builds them whether or not this process has them. */
export async function bundleAssets(): Promise<Assets> {
  try {
    const [
      payui,
      payuiTypes,
      script,
      style,
      hostedScript,
      hostedStyle,
      wallets,
      walletsCss,
      payId,
      payIdCss,
      page,
      dashboardScript,
      dashboardStyle,
      docsScript,
    ] = await Promise.all([
      bundle("browser/payui/main.ts"),
      readFile(join(BROWSER_FOLDER, "payui/payui.d.ts"), "utf8"),
      bundle("browser/checkout/main.ts"),
      bundle("browser/ui/styles.css"),
      bundle("src/hosted-page/browser/main.ts"),
      bundle("src/hosted-page/styles/styles.css"),
      bundle("browser/wallets/main.ts"),
      bundle("browser/wallets/styles.css"),
      bundle("browser/payid/main.ts"),
      bundle("browser/payid/styles.css"),
      readFile(join(BROWSER_FOLDER, "checkout/frame.html"), "utf8"),
      bundle("src/dashboard/browser/main.ts"),
      bundle("src/dashboard/styles/styles.css"),
      bundle("src/docs-site/browser/main.ts"),
    ]);
    const checkoutScript = makeAsset(script, "text/javascript; charset=utf-8");
    const checkoutStyle = makeAsset(style, "text/css; charset=utf-8");
    const walletsScript = makeAsset(wallets, "text/javascript; charset=utf-8");
    const walletsStyle = makeAsset(walletsCss, "text/css; charset=utf-8");
    const own = {
      script: hashedPath(checkoutScript, "checkout.js"),
      integrity: checkoutScript.integrity,
      style: hashedPath(checkoutStyle, "checkout.css"),
    };
    const extra = {
      script: hashedPath(walletsScript, "wallets.js"),
      integrity: walletsScript.integrity,
      style: hashedPath(walletsStyle, "wallets.css"),
    };
    return {
      payui: makeAsset(payui, "text/javascript; charset=utf-8"),
      payuiTypes: makeAsset(payuiTypes, "text/plain; charset=utf-8"),
      checkoutScript,
      checkoutStyle,
      hostedScript: makeAsset(hostedScript, "text/javascript; charset=utf-8"),
      hostedStyle: makeAsset(hostedStyle, "text/css; charset=utf-8"),
      dashboardScript: makeAsset(dashboardScript, "text/javascript; charset=utf-8"),
      dashboardStyle: makeAsset(dashboardStyle, "text/css; charset=utf-8"),
      docsScript: makeAsset(docsScript, "text/javascript; charset=utf-8"),
      walletsScript,
      walletsStyle,
      payIdScript: makeAsset(payId, "text/javascript; charset=utf-8"),
      payIdStyle: makeAsset(payIdCss, "text/css; charset=utf-8"),
      checkoutFrame: framePage(page, own),
      walletsFrame: framePage(page, own, extra),
    };
  } finally {
    // The bundler is a process of its own; nothing is left for it to do.
    await stop();
  }
}

type FrameFiles = { readonly script: string; readonly integrity: string; readonly style: string };

/** The frame's own script runs after what the wallets leave for it; what wallets change of its style comes after that. */
function framePage(page: string, own: FrameFiles, ...more: readonly FrameFiles[]): Asset {
  const styles = [own, ...more].map(({ style }) => `<link rel="stylesheet" href="${style}">`);
  const scripts = [...more, own].map(
    ({ script, integrity }) => `<script src="${script}" integrity="${integrity}" defer></script>`,
  );
  const named = page.replace("{{files}}", [...styles, ...scripts].join("\n"));
  const shape = more.length === 0 ? "" : `<u class="skeleton-wallets"><b></b><b></b></u>`;
  return makeAsset(named.replace("{{wallets}}", shape), "text/html; charset=utf-8");
}

/** The frame with wallets. Its script gets the nonce of this answer's policy, if there is one. */
export function markedFrame({ walletsFrame, walletsScript }: Assets, nonce: string | undefined): Asset {
  if (nonce === undefined) return walletsFrame;
  const script = `src="${hashedPath(walletsScript, "wallets.js")}"`;
  const page = walletsFrame.bytes.toString("utf8").replace(script, `${script} nonce="${nonce}"`);
  return makeAsset(page, walletsFrame.contentType);
}

export function hashedPath({ hash }: Asset, name: string): string {
  return `/static/pay/${CHECKOUT_VERSION}/${hash}/${name}`;
}

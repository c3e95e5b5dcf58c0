import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Asset, makeAsset } from "./asset.ts";
import { keptBundles } from "./kept-bundles.ts";

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

/** Where bundles are kept for the next start, beside Node's compiled code and with the owner of the code. */
const KEPT_IN = join(import.meta.dirname, "../../../node_modules/.cache/tidegate");

let built: Promise<Assets> | undefined;

/**
 * Makes all that browsers load. It runs once in a process, at its start, so that a checkout needs no build step and can't
 * be out of date. Another gateway in the process gets the same assets; after a failure the next one builds again.
 */
export function buildAssets(): Promise<Assets> {
  built ??= keptBundles(KEPT_IN, Object.values(ENTRIES))
    .then(makeAssets)
    .catch((error: unknown) => {
      built = undefined;
      throw error;
    });
  return built;
}

const ENTRIES = {
  payui: "browser/payui/main.ts",
  checkoutScript: "browser/checkout/main.ts",
  checkoutStyle: "browser/ui/styles.css",
  hostedScript: "src/hosted-page/browser/main.ts",
  hostedStyle: "src/hosted-page/styles/styles.css",
  walletsScript: "browser/wallets/main.ts",
  walletsStyle: "browser/wallets/styles.css",
  payIdScript: "browser/payid/main.ts",
  payIdStyle: "browser/payid/styles.css",
  dashboardScript: "src/dashboard/browser/main.ts",
  dashboardStyle: "src/dashboard/styles/styles.css",
  docsScript: "src/docs-site/browser/main.ts",
} as const satisfies Partial<Record<keyof Assets, string>>;

/** Makes them from the sources, whatever this process has and an earlier one kept: to compare with. */
export async function bundleAssets(): Promise<Assets> {
  const { bundle } = await import("./bundle.ts");
  const { texts } = await bundle(Object.values(ENTRIES));
  return makeAssets(texts);
}

async function makeAssets(texts: ReadonlyMap<string, string>): Promise<Assets> {
  const made = Object.fromEntries(
    Object.entries(ENTRIES).map(([name, entry]) => [name, makeAsset(texts.get(entry) ?? "", typeOf(entry))]),
  ) as Record<keyof typeof ENTRIES, Asset>;
  const page = await readFile(join(BROWSER_FOLDER, "checkout/frame.html"), "utf8");
  const types = await readFile(join(BROWSER_FOLDER, "payui/payui.d.ts"), "utf8");
  const { checkoutScript, checkoutStyle, walletsScript, walletsStyle } = made;
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
    ...made,
    payuiTypes: makeAsset(types, "text/plain; charset=utf-8"),
    checkoutFrame: framePage(page, own),
    walletsFrame: framePage(page, own, extra),
  };
}

function typeOf(entry: string): string {
  return `text/${entry.endsWith(".css") ? "css" : "javascript"}; charset=utf-8`;
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

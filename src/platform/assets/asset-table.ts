import { type Asset, makeAsset } from "./asset.ts";
import { type Assets, CHECKOUT_VERSION, hashedPath } from "./build-assets.ts";

/** Where a file is served and how long a browser may keep it. */
export type ServedAsset = { readonly asset: Asset; readonly cacheControl: string };

const FOREVER = "public, max-age=31536000, immutable";
/** Kept, but asked for again each time: a mended loader reaches every shop at once. */
const REVALIDATED = "no-cache";

const HOSTED_SCRIPT = "hosted.js";
const HOSTED_STYLE = "hosted.css";
const WALLETS_SCRIPT = "wallets.js";
const WALLETS_STYLE = "wallets.css";

type PageFiles = { readonly script: string; readonly style: string };

/** What a hosted page loads, and what it loads besides where it offers a wallet. */
export function hostedFiles(assets: Assets): PageFiles & { readonly wallets: PageFiles } {
  return {
    script: hashedPath(assets.hostedScript, HOSTED_SCRIPT),
    style: hashedPath(assets.hostedStyle, HOSTED_STYLE),
    wallets: {
      script: hashedPath(assets.walletsScript, WALLETS_SCRIPT),
      style: hashedPath(assets.walletsStyle, WALLETS_STYLE),
    },
  };
}

/** Every static path of our pages. The pages themselves are not here: their policy depends on the merchant. */
export function assetTable(assets: Assets): ReadonlyMap<string, ServedAsset> {
  const { payui, payuiTypes, checkoutScript, checkoutStyle, hostedScript, hostedStyle } = assets;
  const { walletsScript, walletsStyle } = assets;
  const integrity = JSON.stringify({ [CHECKOUT_VERSION]: { "payui.js": payui.integrity } });
  return new Map<string, ServedAsset>([
    ["/static/pay/js/payui.js", { asset: payui, cacheControl: REVALIDATED }],
    [`/static/pay/${CHECKOUT_VERSION}/payui.js`, { asset: payui, cacheControl: FOREVER }],
    ["/static/pay/js/payui.d.ts", { asset: payuiTypes, cacheControl: REVALIDATED }],
    [hashedPath(checkoutScript, "checkout.js"), { asset: checkoutScript, cacheControl: FOREVER }],
    [hashedPath(checkoutStyle, "checkout.css"), { asset: checkoutStyle, cacheControl: FOREVER }],
    [hashedPath(hostedScript, HOSTED_SCRIPT), { asset: hostedScript, cacheControl: FOREVER }],
    [hashedPath(hostedStyle, HOSTED_STYLE), { asset: hostedStyle, cacheControl: FOREVER }],
    [hashedPath(walletsScript, WALLETS_SCRIPT), { asset: walletsScript, cacheControl: FOREVER }],
    [hashedPath(walletsStyle, WALLETS_STYLE), { asset: walletsStyle, cacheControl: FOREVER }],
    [
      "/static/pay/integrity.json",
      { asset: makeAsset(integrity, "application/json; charset=utf-8"), cacheControl: REVALIDATED },
    ],
  ]);
}

/** The dashboard's own files, on the API's origin. */
export function dashboardFiles(assets: Assets): { readonly script: string; readonly style: string } {
  const { dashboardScript, dashboardStyle } = assets;
  return {
    script: `/dashboard/assets/${dashboardScript.hash}/dashboard.js`,
    style: `/dashboard/assets/${dashboardStyle.hash}/dashboard.css`,
  };
}

export function dashboardAssetTable(assets: Assets): ReadonlyMap<string, ServedAsset> {
  const { script, style } = dashboardFiles(assets);
  return new Map<string, ServedAsset>([
    [script, { asset: assets.dashboardScript, cacheControl: FOREVER }],
    [style, { asset: assets.dashboardStyle, cacheControl: FOREVER }],
  ]);
}

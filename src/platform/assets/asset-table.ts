import { type Asset, makeAsset } from "./asset.ts";
import { type Assets, CHECKOUT_VERSION, hashedPath } from "./build-assets.ts";

/** What is served at an address, and how long a browser may keep it. */
export type ServedAsset = { readonly asset: Asset; readonly cacheControl: string };

/** For an address with the hash of its content: a browser may cache it forever. */
export const CACHE_FOREVER = "public, max-age=31536000, immutable";
/** Kept, but revalidated each time: a fixed loader reaches every shop at once. */
const REVALIDATED = "no-cache";

/** The address alone decides: only one that holds the hash of the bytes can never serve others, so only that is kept. */
function served(path: string, asset: Asset): readonly [string, ServedAsset] {
  return [path, { asset, cacheControl: path.includes(`/${asset.hash}/`) ? CACHE_FOREVER : REVALIDATED }];
}

type PageFiles = { readonly script: string; readonly integrity: string; readonly style: string };

/** What a hosted page loads, what it loads besides where it offers a wallet, and what the page of a PayID loads. */
export function hostedFiles(
  assets: Assets,
): PageFiles & { readonly wallets: PageFiles; readonly payId: PayIdFiles } {
  return {
    script: hashedPath(assets.hostedScript, "hosted.js"),
    integrity: assets.hostedScript.integrity,
    style: hashedPath(assets.hostedStyle, "hosted.css"),
    wallets: {
      script: hashedPath(assets.walletsScript, "wallets.js"),
      integrity: assets.walletsScript.integrity,
      style: hashedPath(assets.walletsStyle, "wallets.css"),
    },
    payId: payIdFiles(assets),
  };
}

/** What the panel of a PayID loads; in a frame also the checkout's style. */
export type PayIdFiles = PageFiles & { readonly frameStyle: string };

export function payIdFiles({ payIdScript, payIdStyle, checkoutStyle }: Assets): PayIdFiles {
  return {
    script: hashedPath(payIdScript, "payid.js"),
    integrity: payIdScript.integrity,
    style: hashedPath(payIdStyle, "payid.css"),
    frameStyle: hashedPath(checkoutStyle, "checkout.css"),
  };
}

/** Where merchants' pages find the loader: the newest, or these very bytes. */
export function loaderPaths({ payui }: Assets): { readonly newest: string; readonly pinned: string } {
  return { newest: "/static/pay/js/payui.js", pinned: hashedPath(payui, "payui.js") };
}

/** Every static path of our pages. The pages themselves are not here: their policy depends on the merchant. */
export function assetTable(assets: Assets): ReadonlyMap<string, ServedAsset> {
  const { payui, payuiTypes, checkoutScript, checkoutStyle } = assets;
  const loader = loaderPaths(assets);
  const hosted = hostedFiles(assets);
  const published = { [CHECKOUT_VERSION]: { "payui.js": payui.integrity, address: loader.pinned } };
  return new Map([
    served(loader.newest, payui),
    served(loader.pinned, payui),
    served("/static/pay/js/payui.d.ts", payuiTypes),
    served(
      "/static/pay/integrity.json",
      makeAsset(JSON.stringify(published), "application/json; charset=utf-8"),
    ),
    served(hashedPath(checkoutScript, "checkout.js"), checkoutScript),
    served(hashedPath(checkoutStyle, "checkout.css"), checkoutStyle),
    served(hosted.script, assets.hostedScript),
    served(hosted.style, assets.hostedStyle),
    served(hosted.wallets.script, assets.walletsScript),
    served(hosted.wallets.style, assets.walletsStyle),
    served(hosted.payId.script, assets.payIdScript),
    served(hosted.payId.style, assets.payIdStyle),
  ]);
}

/** The dashboard's own files, on the API's origin. */
export function dashboardFiles(assets: Assets): PageFiles {
  const { dashboardScript, dashboardStyle } = assets;
  return {
    script: `/dashboard/assets/${dashboardScript.hash}/dashboard.js`,
    integrity: dashboardScript.integrity,
    style: `/dashboard/assets/${dashboardStyle.hash}/dashboard.css`,
  };
}

export function dashboardAssetTable(assets: Assets): ReadonlyMap<string, ServedAsset> {
  const { script, style } = dashboardFiles(assets);
  return new Map([served(script, assets.dashboardScript), served(style, assets.dashboardStyle)]);
}

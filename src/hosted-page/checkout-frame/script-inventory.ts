import { makeAsset } from "../../platform/assets/asset.ts";
import { hostedFiles, loaderPaths } from "../../platform/assets/asset-table.ts";
import { type Assets, hashedPath } from "../../platform/assets/build-assets.ts";
import { DONE_SCRIPT, DONE_SCRIPT_PATH } from "../sandbox/challenge/mount-sandbox-bank.ts";

/** A script that runs where payers are, and why it has to. */
export type PageScript = {
  readonly name: string;
  readonly pages: readonly string[];
  readonly purpose: string;
  /** Whose it is: a vendor's comes from the vendor, and no hash of ours can hold it. */
  readonly source: "tidegate" | "vendor";
};

/** All of them. The docs page of scripts is made from this table; a test holds every payment page against it. */
export const PAGE_SCRIPTS = {
  loader: {
    name: "payui.js",
    pages: ["the merchant's page"],
    purpose: "Opens the frame, hands its height and its events on. Never sees what is typed.",
    source: "tidegate",
  },
  checkout: {
    name: "checkout.js",
    pages: ["checkout frame"],
    purpose: "The card form: checks, surcharge, consent, payment, 3D Secure.",
    source: "tidegate",
  },
  hosted: {
    name: "hosted.js",
    pages: ["hosted payment page"],
    purpose: "The same form on the hosted page, which works without it, too.",
    source: "tidegate",
  },
  wallets: {
    name: "wallets.js",
    pages: ["checkout frame", "hosted payment page"],
    purpose: "Apple Pay and Google Pay; loaded only where a request offers one of them.",
    source: "tidegate",
  },
  bank: {
    name: "done.js",
    pages: ["sandbox bank"],
    purpose: "Tells the checkout's frame that the payer has answered. In the sandbox alone.",
    source: "tidegate",
  },
  google: {
    name: "pay.js",
    pages: ["checkout frame", "hosted payment page"],
    purpose: "Google Pay's own; in live mode alone, where a request offers Google Pay.",
    source: "vendor",
  },
} as const satisfies Readonly<Record<string, PageScript>>;

/** The same with addresses and hashes, as this gateway serves them. */
export function scriptInventory(assets: Assets): readonly object[] {
  const { script: hosted, wallets } = hostedFiles(assets);
  const loader = { ...PAGE_SCRIPTS.loader, integrity: assets.payui.integrity };
  const { newest, pinned } = loaderPaths(assets);
  return [
    { ...loader, address: newest },
    { ...loader, address: pinned },
    {
      ...PAGE_SCRIPTS.checkout,
      address: hashedPath(assets.checkoutScript, PAGE_SCRIPTS.checkout.name),
      integrity: assets.checkoutScript.integrity,
    },
    { ...PAGE_SCRIPTS.hosted, address: hosted, integrity: assets.hostedScript.integrity },
    { ...PAGE_SCRIPTS.wallets, address: wallets.script, integrity: assets.walletsScript.integrity },
    {
      ...PAGE_SCRIPTS.bank,
      address: DONE_SCRIPT_PATH,
      integrity: makeAsset(DONE_SCRIPT, "text/javascript").integrity,
    },
    { ...PAGE_SCRIPTS.google, address: "https://pay.google.com/gp/p/js/pay.js", integrity: null },
  ];
}

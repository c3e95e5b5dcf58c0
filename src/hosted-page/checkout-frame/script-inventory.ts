import { makeAsset } from "../../platform/assets/asset.ts";
import { hostedFiles, loaderPaths } from "../../platform/assets/asset-table.ts";
import { type Assets, hashedPath } from "../../platform/assets/build-assets.ts";
import { DONE_SCRIPT, DONE_SCRIPT_PATH } from "../bank-steps/mount-bank-steps.ts";
import { RETURN_SCRIPT, RETURN_SCRIPT_PATH } from "../sandbox/challenge/mount-sandbox-bank.ts";
import { VENDOR_SCRIPTS } from "./vendor-sources.ts";

/** A script on a page for payers, and its purpose. */
export type PageScript = {
  readonly name: string;
  readonly pages: readonly string[];
  readonly purpose: string;
  /** A vendor serves its own script, so the gateway can't pin its hash. */
  readonly source: "tidegate" | "vendor";
};

/** Every script. The docs page of scripts is generated from this table; a test compares it with every payment page. */
export const PAGE_SCRIPTS = {
  loader: {
    name: "payui.js",
    pages: ["the merchant's page"],
    purpose: "Opens the frame and passes on its height and events. Never sees the payer's input.",
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
    purpose: "The same form on the hosted page, which also works without scripts.",
    source: "tidegate",
  },
  wallets: {
    name: "wallets.js",
    pages: ["checkout frame", "hosted payment page"],
    purpose: "Apple Pay and Google Pay; loaded only if a request offers one of them.",
    source: "tidegate",
  },
  payId: {
    name: "payid.js",
    pages: ["PayID frame", "PayID page"],
    purpose: "Copies the PayID, counts down, and shows when the transfer has arrived. Takes no payment data.",
    source: "tidegate",
  },
  bankStep: {
    name: "done.js",
    pages: ["end of a step at the bank"],
    purpose: "Notifies the checkout's frame that the bank is done with the payer.",
    source: "tidegate",
  },
  sandboxBank: {
    name: "return.js",
    pages: ["sandbox bank"],
    purpose: "Takes the payer's frame back from the bank. Only in the sandbox.",
    source: "tidegate",
  },
  ...VENDOR_SCRIPTS,
} as const satisfies Readonly<Record<string, PageScript>>;

/** The scripts with the addresses and hashes of this gateway. */
export function scriptInventory(assets: Assets): readonly object[] {
  const { script: hosted, wallets, payId } = hostedFiles(assets);
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
    { ...PAGE_SCRIPTS.payId, address: payId.script, integrity: payId.integrity },
    {
      ...PAGE_SCRIPTS.bankStep,
      address: DONE_SCRIPT_PATH,
      integrity: makeAsset(DONE_SCRIPT, "text/javascript").integrity,
    },
    {
      ...PAGE_SCRIPTS.sandboxBank,
      address: RETURN_SCRIPT_PATH,
      integrity: makeAsset(RETURN_SCRIPT, "text/javascript").integrity,
    },
    ...Object.values(VENDOR_SCRIPTS).map((script) => ({ ...script, integrity: null })),
  ];
}

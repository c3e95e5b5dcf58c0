import { ENGLISH_WALLETS } from "../../src/kernel/languages/english.ts";
import { fill } from "../../src/kernel/languages/speech.ts";
import { WALLET_NAMES, type Wallet } from "../../src/kernel/wallets.ts";
import type { OfferedWallet } from "../paying/read-responses.ts";
import type { OfferWallets, Quote, WalletHost } from "../paying/wallet-host.ts";
import { getElement } from "../ui/get-element.ts";
import { type Html, html } from "../ui/html.ts";
import { findApple } from "./apple-session.ts";
import { openAppleSheet } from "./apple-sheet.ts";
import { findGoogle } from "./google-client.ts";
import { openGoogleSheet } from "./google-sheet.ts";
import { openSandboxSheet } from "./sandbox-sheet.ts";
import { readSettings } from "./settings.ts";
import type { SheetContext, SheetResult } from "./sheet.ts";

/** Must be called in a click handler: browsers open the vendors' sheets only then. */
type OpenSheet = () => Promise<SheetResult>;

type FoundSheets = readonly OpenSheet[] | Promise<readonly OpenSheet[]>;

/** The sheets that this browser has: the vendor's first, then, in the sandbox, the simulated one. None: no button. */
type Offer = {
  readonly context: SheetContext;
  readonly sheets: readonly OpenSheet[];
  /** Emits the form's surcharge again, if a sheet has emitted another. */
  readonly restoreSurcharge: () => void;
};

/**
 * Shows a button for each available wallet, in the gateway's order. Each appears as soon as its vendor is ready and waits
 * for no other.
 */
export const offerWallets: OfferWallets = async (host) => {
  const { wallets } = host.details;
  const place = getElement<HTMLElement>(document, "#wallet-buttons");
  place.innerHTML = wallets.map(({ type }) => walletButton(type).html).join("");
  const buttons = Array.from(place.querySelectorAll("button"));
  let open = false;
  const found = await Promise.all(
    wallets.map(async (wallet, at) => {
      const offer = await findSheets(host, wallet);
      const button = buttons[at];
      if (offer.sheets.length === 0 || button === undefined) return false;
      button.addEventListener("click", () => {
        if (open) return;
        host.form.showNotice(undefined);
        open = true;
        void payWith(offer, button).then(() => {
          open = false;
        });
      });
      button.hidden = false;
      getElement<HTMLElement>(document, "#wallets").hidden = false;
      return true;
    }),
  );
  return found.some((shown) => shown);
};

async function findSheets(host: WalletHost, wallet: OfferedWallet): Promise<Offer> {
  const settings = readSettings(wallet);
  const words = { ...ENGLISH_WALLETS, ...host.speech.walletWords };
  let isQuoted = false;
  const emitSurcharge = (quote: Quote): void => {
    isQuoted = true;
    host.emitSurcharge(quote);
  };
  const context: SheetContext = { words, type: wallet.type, host: { ...host, emitSurcharge }, settings };
  const restoreSurcharge = (): void => {
    if (isQuoted) host.emitSurcharge({ ...host.quote(""), surcharge: host.form.surcharge() });
    isQuoted = false;
  };
  const vendors = await VENDOR_SHEETS[wallet.type](context);
  const simulated: readonly OpenSheet[] = settings.sandbox ? [() => openSandboxSheet(context)] : [];
  return { context, sheets: [...vendors, ...simulated], restoreSurcharge };
}

const VENDOR_SHEETS: Readonly<Record<Wallet, (context: SheetContext) => FoundSheets>> = {
  apple_pay: appleSheets,
  google_pay: googleSheets,
};

function appleSheets(context: SheetContext): readonly OpenSheet[] {
  const apple = findApple();
  return apple === undefined ? [] : [() => openAppleSheet(apple, context)];
}

async function googleSheets(context: SheetContext): Promise<readonly OpenSheet[]> {
  const google = await findGoogle(context);
  return google === undefined ? [] : [() => openGoogleSheet(google, context)];
}

/** In the sandbox a vendor's sheet that fails is replaced by the simulated one. */
async function payWith({ context, sheets, restoreSurcharge }: Offer, button: HTMLElement): Promise<void> {
  const { type, host, words } = context;
  let result: SheetResult = "failed";
  for (const openSheet of sheets) {
    if (result === "failed") result = await openSheet();
  }
  if (typeof result === "string") restoreSurcharge();
  if (result === "cancelled") {
    button.focus();
  } else if (result === "failed") {
    host.form.showNotice(fill(words.unusable, { wallet: WALLET_NAMES[type] }));
  } else {
    const { token, total, cardType, onOutcome } = result;
    const input = { method: type, wallet: { token }, total, consent: host.form.consents() };
    await host.pay(input, cardType, onOutcome);
  }
}

/**
 * Our own drawings by the vendors' rules: mark and word in one line, dark on light pages and light on dark ones. They load
 * nothing. Safari draws Apple's button itself.
 */
const MARKS: Readonly<Record<Wallet, Html>> = {
  apple_pay: html`<path fill="currentColor" d="M12 7.4c.9-.6 2.2-1.1 3.5-1 1.5.1 2.8.8 3.6 1.9-1.4.9-2.2 2.2-2.2 3.7 0 1.9 1.1 3.3 2.7 3.9-.5 1.4-1.2 2.7-2.1 3.9-.8 1.1-1.7 1.9-2.8 1.9-1 0-1.5-.6-2.7-.6s-1.8.6-2.8.6c-1.1 0-2-.9-2.8-2-1.9-2.6-2.7-5.6-2.2-8.3.5-3 2.3-5.1 4.8-5.1 1.1 0 2.2.4 3 1.1zM11.8 5.9c-.1-2.2 1.5-4.1 3.7-4.5.2 2.3-1.6 4.3-3.7 4.5z"/>`,
  google_pay: html`<g fill="none" stroke-width="3.7"><path stroke="#ea4335" d="M18.1 6.9A8 8 0 0 0 5.1 8"/><path stroke="#fbbc04" d="M5.1 8a8 8 0 0 0 0 8"/><path stroke="#34a853" d="M5.1 16a8 8 0 0 0 12 2.1"/><path stroke="#4285f4" d="M17.1 18.1A8 8 0 0 0 20 12h-7.6"/></g>`,
};

/** Hidden until the wallet is known to be available. */
function walletButton(type: Wallet): Html {
  return html`<button class="wallet wallet-${type}" type="button" aria-label="${WALLET_NAMES[type]}" hidden><span class="wallet-drawing" aria-hidden="true"><svg viewBox="0 0 24 24" width="22" height="22">${MARKS[type]}</svg>Pay</span></button>`;
}

import { ENGLISH_WALLETS } from "../../src/kernel/languages/english.ts";
import { fill } from "../../src/kernel/languages/speech.ts";
import { WALLET_NAMES, type Wallet } from "../../src/kernel/wallets.ts";
import type { OfferedWallet } from "../paying/read-responses.ts";
import type { OfferWallets, WalletHost } from "../paying/wallet-host.ts";
import { findElement } from "../ui/find-element.ts";
import { findApple } from "./apple-session.ts";
import { openAppleSheet } from "./apple-sheet.ts";
import { walletButton } from "./buttons.ts";
import { findGoogle } from "./google-client.ts";
import { openGoogleSheet } from "./google-sheet.ts";
import { openSandboxSheet } from "./sandbox-sheet.ts";
import { readSettings } from "./settings.ts";
import type { SheetContext, SheetResult } from "./sheet.ts";

/** Must be called in a click handler: browsers open the vendors' sheets only then. */
type OpenSheet = () => Promise<SheetResult>;

type FoundSheets = readonly OpenSheet[] | Promise<readonly OpenSheet[]>;

/** The sheets that this browser has: the vendor's first, then, in the sandbox, the simulated one. None: no button. */
type Offer = { readonly context: SheetContext; readonly sheets: readonly OpenSheet[] };

/**
 * Shows a button for each available wallet, in the gateway's order. Each appears as soon as its vendor is ready and waits
 * for no other.
 */
export const offerWallets: OfferWallets = async (host) => {
  const { wallets } = host.details;
  const place = findElement<HTMLElement>(document, "#wallet-buttons");
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
      findElement<HTMLElement>(document, "#wallets").hidden = false;
      return true;
    }),
  );
  return found.some((shown) => shown);
};

async function findSheets(host: WalletHost, wallet: OfferedWallet): Promise<Offer> {
  const settings = readSettings(wallet);
  const words = { ...ENGLISH_WALLETS, ...host.speech.walletWords };
  const context: SheetContext = { words, type: wallet.type, host, settings };
  const vendors = await VENDOR_SHEETS[wallet.type](context);
  const simulated: readonly OpenSheet[] = settings.sandbox ? [() => openSandboxSheet(context)] : [];
  return { context, sheets: [...vendors, ...simulated] };
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
async function payWith({ context, sheets }: Offer, button: HTMLElement): Promise<void> {
  const { type, host, words } = context;
  let result: SheetResult = "failed";
  for (const openSheet of sheets) {
    if (result === "failed") result = await openSheet();
  }
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

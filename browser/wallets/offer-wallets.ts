import type { OfferedWallet } from "../paying/read-responses.ts";
import type { OfferWallets, WalletHost } from "../paying/wallet-host.ts";
import { findElement } from "../ui/find-element.ts";
import { walletName } from "../ui/wallet-names.ts";
import { findApple } from "./apple-session.ts";
import { openAppleSheet } from "./apple-sheet.ts";
import { walletButton } from "./buttons.ts";
import { findGoogle } from "./google-client.ts";
import { openGoogleSheet } from "./google-sheet.ts";
import { openSandboxSheet } from "./sandbox-sheet.ts";
import { readSettings } from "./settings.ts";
import type { SheetEnd, SheetParts } from "./sheet.ts";

/** A way to a wallet's sheet. Called while a press is handled: browsers open the vendors' own sheets only then. */
type OpenSheet = () => Promise<SheetEnd>;

/** The ways to a sheet that this browser has: the vendor's own first, and in the sandbox ours. None: no button. */
type Offer = { readonly parts: SheetParts; readonly sheets: readonly OpenSheet[] };

/**
 * Shows a button for each wallet that can be had here, in the order in which the gateway named them. Each comes as soon
 * as its own vendor is ready: none waits for another's.
 */
export const offerWallets: OfferWallets = async (host) => {
  const { wallets } = host.opening;
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
        if (open || !host.form.agreed()) return;
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
  const parts: SheetParts = { type: wallet.type, host, settings };
  const vendors = wallet.type === "apple_pay" ? applesSheet(parts) : await googlesSheet(parts);
  const ours: readonly OpenSheet[] = settings.sandbox ? [() => openSandboxSheet(parts)] : [];
  return { parts, sheets: [...vendors, ...ours] };
}

function applesSheet(parts: SheetParts): readonly OpenSheet[] {
  const apple = findApple();
  return apple === undefined ? [] : [() => openAppleSheet(apple, parts)];
}

async function googlesSheet(parts: SheetParts): Promise<readonly OpenSheet[]> {
  const google = await findGoogle(parts);
  return google === undefined ? [] : [() => openGoogleSheet(google, parts)];
}

/** From the press of a wallet's button to an outcome. A vendor's sheet that fails in the sandbox gives way to ours. */
async function payWith({ parts, sheets }: Offer, button: HTMLElement): Promise<void> {
  const { type, host } = parts;
  let end: SheetEnd = "failed";
  for (const openSheet of sheets) {
    if (end === "failed") end = await openSheet();
  }
  if (end === "cancelled") {
    button.focus();
  } else if (end === "failed") {
    host.form.showNotice(`${walletName(type)} couldn't be used just now. You have not been charged.`);
  } else {
    const { token, total, cardType, answered } = end;
    const order = { method: type, wallet: { token }, total, consent: host.opening.storeCard };
    await host.pay(order, cardType, answered);
  }
}

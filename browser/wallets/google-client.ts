import { googleMethod } from "./google-request.ts";
import type { SheetParts } from "./sheet.ts";

/** As much of Google's script as is used here. */
export type GoogleClient = {
  readonly isReadyToPay: (request: object) => Promise<{ readonly result: boolean }>;
  readonly loadPaymentData: (request: object) => Promise<unknown>;
};

type GooglePayments = {
  readonly payments?: { readonly api?: { readonly PaymentsClient: new (options: object) => GoogleClient } };
};

const SCRIPT = "https://pay.google.com/gp/p/js/pay.js";
const READY_WITHIN_MS = 8_000;

/**
 * Google Pay, where the payer's browser can do it. Its script is loaded for real money only; the sandbox uses it where it
 * is present already, and makes no request to anybody.
 */
export async function findGoogle({ settings }: SheetParts): Promise<GoogleClient | undefined> {
  try {
    if (presentScript() === undefined && !settings.sandbox) await within(loadScript());
    const Client = presentScript();
    if (Client === undefined) return undefined;
    const client = new Client({ environment: settings.text("environment") || "TEST", ...pageNonce() });
    const request = { apiVersion: 2, apiVersionMinor: 0, allowedPaymentMethods: [googleMethod(settings)] };
    return (await within(client.isReadyToPay(request))).result ? client : undefined;
  } catch (_notHere) {
    return undefined;
  }
}

/** What this page's policy lets Google's script add styles and scripts with. Browsers show it to scripts alone. */
function pageNonce(): { readonly nonce?: string } {
  const marked = document.querySelector<HTMLScriptElement>("script[nonce]");
  const nonce = marked === null ? undefined : marked.nonce || marked.getAttribute("nonce");
  return nonce ? { nonce } : {};
}

function presentScript(): (new (options: object) => GoogleClient) | undefined {
  const { google } = window as { readonly google?: GooglePayments };
  return google?.payments?.api?.PaymentsClient;
}

function loadScript(): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = SCRIPT;
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => reject(new Error("Google's script can't be had")));
    document.head.appendChild(script);
  });
}

function within<Value>(work: Promise<Value>): Promise<Value> {
  const tooLate = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error("no answer in time")), READY_WITHIN_MS);
  });
  return Promise.race([work, tooLate]);
}

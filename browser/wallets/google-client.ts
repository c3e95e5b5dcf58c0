import { googleMethod } from "./google-request.ts";
import type { SheetContext } from "./sheet.ts";

/** The part of Google's script that is used here. */
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
 * Google Pay, if the payer's browser supports it. Google's script is loaded in live mode only; the sandbox uses it if the
 * page has it and sends no request to Google.
 */
export async function findGoogle({ settings }: SheetContext): Promise<GoogleClient | undefined> {
  try {
    if (loadedClient() === undefined && !settings.sandbox) await within(loadScript());
    const Client = loadedClient();
    if (Client === undefined) return undefined;
    const client = new Client({ environment: settings.text("environment") || "TEST", ...pageNonce() });
    const request = { apiVersion: 2, apiVersionMinor: 0, allowedPaymentMethods: [googleMethod(settings)] };
    return (await within(client.isReadyToPay(request))).result ? client : undefined;
  } catch (_notHere) {
    return undefined;
  }
}

/** The Content-Security-Policy's nonce, with which Google's script may add styles and scripts. */
function pageNonce(): { readonly nonce?: string } {
  const marked = document.querySelector<HTMLScriptElement>("script[nonce]");
  const nonce = marked === null ? undefined : marked.nonce || marked.getAttribute("nonce");
  return nonce ? { nonce } : {};
}

function loadedClient(): (new (options: object) => GoogleClient) | undefined {
  const { google } = window as { readonly google?: GooglePayments };
  return google?.payments?.api?.PaymentsClient;
}

/** The reason of a rejection is not read, here and below. */
function loadScript(): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = SCRIPT;
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", reject);
    document.head.appendChild(script);
  });
}

function within<Value>(work: Promise<Value>): Promise<Value> {
  const tooLate = new Promise<never>((_, reject) => {
    setTimeout(reject, READY_WITHIN_MS);
  });
  return Promise.race([work, tooLate]);
}

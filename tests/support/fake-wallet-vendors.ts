/**
 * Fakes of the wallet vendors' scripts: they behave like Apple's and Google's code, in the same order, and report every
 * call to `window.seen`. The payload is the sandbox's, so that the gateway can read it. They need a page that holds its
 * session, as the hosted page does.
 */
const TOKEN = `const tokenOf = async (wallet, card, total) => {
  const { session } = JSON.parse(document.querySelector("main").dataset.opening);
  const headers = { "Content-Type": "application/json", "X-Checkout-Session": session };
  const response = await fetch("/sandbox/wallets/" + wallet, { method: "POST", headers, body: JSON.stringify({ card, total }) });
  return (await response.json()).token;
};
const report = (what, details) => window.seen(what, JSON.stringify(details));`;

/** How the fake sheet behaves: a card of that network is chosen and authorised, or merchant validation fails. */
export type AppleScenario = { readonly network: string; readonly card: string } | "not-validated";

export function fakeApplePay(scenario: AppleScenario): string {
  return `(() => { ${TOKEN}
  const scenario = ${JSON.stringify(scenario)};
  window.ApplePaySession = class {
    static STATUS_SUCCESS = 0;
    static STATUS_FAILURE = 1;
    static canMakePayments() { return true; }
    static supportsVersion(version) { return version <= 14; }
    constructor(version, request) { report("request", { version, request }); }
    begin() { setTimeout(() => this.onvalidatemerchant({ validationURL: "https://apple-pay-gateway.apple.com/paymentservices/startSession" })); }
    completeMerchantValidation(session) {
      report("merchantSession", session);
      if (scenario === "not-validated") this.oncancel();
      else this.onpaymentmethodselected({ paymentMethod: { network: scenario.network } });
    }
    async completePaymentMethodSelection({ newTotal, newLineItems }) {
      report("selection", { newTotal, newLineItems });
      const paymentData = await tokenOf("apple_pay", scenario.card, Math.round(Number(newTotal.amount) * 100));
      this.onpaymentauthorized({ payment: { token: { paymentData, paymentMethod: { network: scenario.network } } } });
    }
    completePayment(result) { report("completed", result); }
    abort() { report("aborted", null); }
  };
})();`;
}

export type GoogleScenario =
  | { readonly network: string; readonly card: string }
  | "not-ready"
  | "cancelled"
  /** Ready only after the test calls `window.getReady`. */
  | "ready-later";

/**
 * With a nonce it marks the styles and scripts that it adds to the page, as Google documents; it also adds some without
 * one, which the page's policy must block.
 */
export function fakeGooglePay(scenario: GoogleScenario): string {
  return `(() => { ${TOKEN}
  const scenario = ${JSON.stringify(scenario)};
  class PaymentsClient {
    constructor(options) {
      report("client", options);
      if (options.nonce === undefined) return;
      const add = (tag, text, nonce) => {
        const added = document.createElement(tag);
        if (nonce !== undefined) added.setAttribute("nonce", nonce);
        added.textContent = text;
        document.head.appendChild(added);
      };
      add("style", ":root { --style-marked: there }", options.nonce);
      add("style", ":root { --style-bare: there }");
      add("script", "window.scriptMarked = 'there'", options.nonce);
      add("script", "window.scriptBare = 'there'");
    }
    async isReadyToPay(request) {
      report("isReadyToPay", request);
      if (scenario === "ready-later") await new Promise((resolve) => { window.getReady = resolve; });
      return { result: scenario !== "not-ready" };
    }
    async loadPaymentData(request) {
      report("loadPaymentData", request);
      if (scenario === "cancelled") throw { statusCode: "CANCELED" };
      const token = await tokenOf("google_pay", scenario.card, Math.round(Number(request.transactionInfo.totalPrice) * 100));
      const info = { cardNetwork: scenario.network, cardDetails: "3478" };
      return { paymentMethodData: { type: "CARD", info, tokenizationData: { type: "PAYMENT_GATEWAY", token } } };
    }
  }
  window.google = { payments: { api: { PaymentsClient } } };
})();`;
}

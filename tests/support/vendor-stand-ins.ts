/**
 * Stand-ins for what the vendors bring: they do as Apple's and Google's own code does, in the order in which it does it,
 * and tell `window.seen` what they were told. The payload is the sandbox's, so that the gateway can read it. For pages
 * that say their session: the hosted one.
 */
const TOKEN = `const tokenOf = async (wallet, card, total) => {
  const { session } = JSON.parse(document.querySelector("main").dataset.opening);
  const headers = { "Content-Type": "application/json", "X-Checkout-Session": session };
  const response = await fetch("/sandbox/wallets/" + wallet, { method: "POST", headers, body: JSON.stringify({ card, total }) });
  return (await response.json()).token;
};
const tell = (what, told) => window.seen(what, JSON.stringify(told));`;

/** How the stand-in's sheet goes: a card of that network is chosen and authorised, or Apple won't vouch for us. */
export type AppleStory = { readonly network: string; readonly card: string } | "not-validated";

export function appleStandIn(story: AppleStory): string {
  return `(() => { ${TOKEN}
  const story = ${JSON.stringify(story)};
  window.ApplePaySession = class {
    static STATUS_SUCCESS = 0;
    static STATUS_FAILURE = 1;
    static canMakePayments() { return true; }
    static supportsVersion(version) { return version <= 14; }
    constructor(version, request) { tell("request", { version, request }); }
    begin() { setTimeout(() => this.onvalidatemerchant({ validationURL: "https://apple-pay-gateway.apple.com/paymentservices/startSession" })); }
    completeMerchantValidation(session) {
      tell("merchantSession", session);
      if (story === "not-validated") this.oncancel();
      else this.onpaymentmethodselected({ paymentMethod: { network: story.network } });
    }
    async completePaymentMethodSelection({ newTotal, newLineItems }) {
      tell("selection", { newTotal, newLineItems });
      const paymentData = await tokenOf("apple_pay", story.card, Math.round(Number(newTotal.amount) * 100));
      this.onpaymentauthorized({ payment: { token: { paymentData, paymentMethod: { network: story.network } } } });
    }
    completePayment(result) { tell("completed", result); }
    abort() { tell("aborted", null); }
  };
})();`;
}

export type GoogleStory =
  | { readonly network: string; readonly card: string }
  | "not-ready"
  | "cancelled"
  /** Ready only once the test calls `window.getReady`. */
  | "ready-later";

/**
 * With a nonce it marks the styles and scripts that it adds to the page, as Google's documentation says; beside them it
 * adds others without one, as somebody would who has not read the page's policy.
 */
export function googleStandIn(story: GoogleStory): string {
  return `(() => { ${TOKEN}
  const story = ${JSON.stringify(story)};
  class PaymentsClient {
    constructor(options) {
      tell("client", options);
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
      tell("isReadyToPay", request);
      if (story === "ready-later") await new Promise((resolve) => { window.getReady = resolve; });
      return { result: story !== "not-ready" };
    }
    async loadPaymentData(request) {
      tell("loadPaymentData", request);
      if (story === "cancelled") throw { statusCode: "CANCELED" };
      const token = await tokenOf("google_pay", story.card, Math.round(Number(request.transactionInfo.totalPrice) * 100));
      const info = { cardNetwork: story.network, cardDetails: "3478" };
      return { paymentMethodData: { type: "CARD", info, tokenizationData: { type: "PAYMENT_GATEWAY", token } } };
    }
  }
  window.google = { payments: { api: { PaymentsClient } } };
})();`;
}

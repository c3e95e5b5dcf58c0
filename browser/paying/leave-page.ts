/** The page is closing, so the request must outlive it. Browsers around Chrome 60 refuse a JSON beacon. */
function sendAbandon(session: string): void {
  const body = JSON.stringify({ session });
  try {
    if (navigator.sendBeacon("/checkout/abandon", new Blob([body], { type: "application/json" }))) return;
  } catch (_refused) {
    // Falls through to a synchronous request.
  }
  const request = new XMLHttpRequest();
  request.open("POST", "/checkout/abandon", false);
  request.setRequestHeader("Content-Type", "application/json");
  request.send(body);
}

/** Ends the attempt when the payer leaves the page. Returns a function that stops that. */
export function abandonOnLeave(session: string): () => void {
  const abandon = (): void => sendAbandon(session);
  window.addEventListener("pagehide", abandon);
  return () => window.removeEventListener("pagehide", abandon);
}

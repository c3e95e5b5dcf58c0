/* Shows the gateway's checkout. Its events are for display: the order changes when the server has looked it up. */
const box = document.getElementById("checkout");
const note = document.getElementById("note");

function showNote(text) {
  note.textContent = text;
  note.hidden = false;
}

const dark = matchMedia("(prefers-color-scheme: dark)").matches;
const checkout = SVC.PayUI.initialise({
  token: box.dataset.token,
  containerId: "checkout",
  version: "1.0.0",
  ui: { variables: { colorPrimary: dark ? "#7fd1b9" : "#0f5c4d", borderRadius: "10px" } },
});

checkout.on("initialise", ({ result }) => {
  if (result.status !== "ok") showNote("The payment form could not be shown. Please load this page again.");
});

/* After a decline the frame lets the payer try again, as often as the payment request allows. */
let attempts = Number(box.dataset.attempts);

checkout.on("process", ({ result }) => {
  if (result.status === "pending") return;
  if (result.status === "declined") attempts -= 1;
  if (result.status === "declined" && attempts > 0) return;
  if (result.status === "failed") {
    showNote("Nothing was charged. Please load this page again.");
    return;
  }
  // Gives the payer time to read the result, then shows the order.
  setTimeout(() => location.assign(box.dataset.order), 1200);
});

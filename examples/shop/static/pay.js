/* Shows the gateway's checkout. What it reports here is for display: the order changes when our server has heard of it. */
const box = document.getElementById("checkout");
const note = document.getElementById("note");

function tell(words) {
  note.textContent = words;
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
  if (result.status !== "ok") tell("The payment form could not be shown. Please load this page again.");
});

checkout.on("process", ({ result }) => {
  if (result.status === "pending") return;
  if (result.status === "failed") {
    tell("Nothing was charged. Please load this page again.");
    return;
  }
  // A moment to read what the form says, then on to the order.
  setTimeout(() => location.assign(box.dataset.order), 1200);
});

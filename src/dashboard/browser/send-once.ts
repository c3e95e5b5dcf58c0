/** A quick answer shows no message. */
const SHOWN_AFTER = 500;

/** Submits every form once: a second press does nothing, and a slow request shows “Working…”. */
export function sendOnce(page: Document): void {
  page.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    if (form.hasAttribute("data-sent")) {
      event.preventDefault();
      return;
    }
    if (form.method !== "post") return;
    form.setAttribute("data-sent", "");
    form.setAttribute("aria-busy", "true");
    window.setTimeout(() => showWorking(page, form), SHOWN_AFTER);
  });
  // A page from the browser's cache must accept its forms again.
  window.addEventListener("pageshow", () => {
    for (const form of Array.from(page.querySelectorAll("form[data-sent]"))) {
      form.removeAttribute("data-sent");
      form.removeAttribute("aria-busy");
      const message = form.querySelector(".working");
      if (message !== null) message.remove();
    }
  });
}

function showWorking(page: Document, form: HTMLFormElement): void {
  if (!form.hasAttribute("data-sent")) return;
  const message = page.createElement("span");
  message.className = "working";
  message.setAttribute("role", "status");
  message.textContent = "Working…";
  const beside = form.querySelector(".buttons");
  (beside === null ? form : beside).appendChild(message);
}

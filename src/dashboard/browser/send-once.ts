/** Long enough that what is quick does not flicker. */
const SAID_AFTER = 500;

/** Sends every form once: a second press while the first is under way does nothing, and what takes long says so. */
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
    window.setTimeout(() => sayWorking(page, form), SAID_AFTER);
  });
  // A page that the browser kept and shows again must take its forms again.
  window.addEventListener("pageshow", () => {
    for (const form of Array.from(page.querySelectorAll("form[data-sent]"))) {
      form.removeAttribute("data-sent");
      form.removeAttribute("aria-busy");
      const said = form.querySelector(".working");
      if (said !== null) said.remove();
    }
  });
}

function sayWorking(page: Document, form: HTMLFormElement): void {
  if (!form.hasAttribute("data-sent")) return;
  const said = page.createElement("span");
  said.className = "working";
  said.setAttribute("role", "status");
  said.textContent = "Working…";
  const beside = form.querySelector(".buttons");
  (beside === null ? form : beside).appendChild(said);
}

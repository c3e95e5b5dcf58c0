/** Sends every form once: a second press while the first is under way does nothing. */
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
  });
  // A page that the browser kept and shows again must take its forms again.
  window.addEventListener("pageshow", () => {
    for (const form of Array.from(page.querySelectorAll("form[data-sent]"))) {
      form.removeAttribute("data-sent");
      form.removeAttribute("aria-busy");
    }
  });
}

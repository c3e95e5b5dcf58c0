/** Asks where a form says so, and sends every form once: a second press while the first is under way does nothing. */
export function askBeforeSending(page: Document): void {
  page.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    const question = form.getAttribute("data-confirm");
    if (form.hasAttribute("data-sent") || (question !== null && !window.confirm(question))) {
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

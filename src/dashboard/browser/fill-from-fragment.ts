/** A one-time link carries its secret after the `#`. It goes into the form, and out of the address and the history. */
export function fillFromFragment(page: Document): void {
  const input = page.querySelector<HTMLInputElement>("input[data-fragment]");
  const secret = window.location.hash.slice(1);
  if (input === null || input.form === null || secret === "") return;
  window.history.replaceState(null, "", window.location.pathname);
  input.value = secret;
  input.form.submit();
}

/** Moves the secret of a one-time link from the URL into the form, removes it from the history, and submits. */
export function fillFromFragment(page: Document): void {
  const input = page.querySelector<HTMLInputElement>("input[data-fragment]");
  const secret = window.location.hash.slice(1);
  if (input === null || input.form === null || secret === "") return;
  window.history.replaceState(null, "", window.location.pathname);
  input.value = secret;
  input.form.submit();
}

const LOADING_AFTER_MS = 1_000;

/**
 * A paragraph for the payer in the page's own style: without the gateway there are no other texts and no theme. `role`: how
 * urgently a screen reader announces it.
 */
function addWords(container: HTMLElement, role: string, text: string): HTMLElement {
  const words = document.createElement("p");
  words.setAttribute("role", role);
  words.textContent = text;
  container.appendChild(words);
  return words;
}

/** Shown while the form is slow to appear, above its place, so that nothing moves. The caller removes it. */
export function showLoading(container: HTMLElement): HTMLElement {
  const words = addWords(container, "status", "Loading the payment form…");
  words.hidden = true;
  words.style.position = "absolute";
  setTimeout(() => {
    words.hidden = false;
  }, LOADING_AFTER_MS);
  return words;
}

/** Shown if the form can't be reached. The caller removes it. */
export function offerRetry(container: HTMLElement, retry: () => void): HTMLElement {
  const words = addWords(container, "alert", "The payment form couldn't be loaded. ");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Try again";
  button.onclick = retry;
  words.appendChild(button);
  return words;
}

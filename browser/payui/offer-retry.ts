/**
 * Shows the payer that the form can't be reached, in the page's own style: without the gateway there are no other texts and
 * no theme. Returns a function that removes it.
 */
export function offerRetry(container: HTMLElement, retry: () => void): () => void {
  const words = document.createElement("p");
  words.setAttribute("role", "alert");
  words.textContent = "The payment form couldn't be loaded. ";
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Try again";
  button.onclick = retry;
  words.appendChild(button);
  container.appendChild(words);
  return () => container.removeChild(words);
}

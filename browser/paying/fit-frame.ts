/**
 * Keeps a frame as high as its page. Only a page of our own origin can be measured; any other keeps the height from the
 * style sheet. Returns a function that stops it.
 */
export function fitFrame(frame: HTMLIFrameElement): () => void {
  const fit = (): void => {
    const body = frame.contentDocument?.body;
    if (body) frame.style.height = `${Math.ceil(body.getBoundingClientRect().height)}px`;
  };
  frame.addEventListener("load", fit);
  window.addEventListener("resize", fit);
  return () => window.removeEventListener("resize", fit);
}

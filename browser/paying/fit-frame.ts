/**
 * Keeps a frame as high as the page in it, as long as that page is of our own origin: nobody may look into another one,
 * which keeps the height that the style sheet gives. Ends with the function that it returns.
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

type Loader = {
  readonly PayUI: {
    readonly initialise: (config: {
      readonly token: string;
      readonly containerId: string;
      readonly version: string;
      readonly ui: unknown;
    }) => unknown;
  };
};

/** Starts the checkout in the preview of its theme, once the loader, which comes after this script, is there. */
export function showPreview(page: Document): void {
  const place = page.getElementById("preview");
  const token = place === null ? null : place.getAttribute("data-token");
  if (place === null || token === null) return;
  window.addEventListener("load", () => {
    const { SVC } = window as unknown as { readonly SVC?: Loader };
    if (SVC === undefined) {
      place.textContent = "The loader of the checkout could not be loaded.";
      return;
    }
    const ui: unknown = JSON.parse(place.getAttribute("data-ui") ?? "{}");
    SVC.PayUI.initialise({ token, containerId: "preview", version: "1.0.0", ui });
  });
}

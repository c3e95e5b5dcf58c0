type InitialiseEvent = {
  readonly result: { readonly status: string; readonly codes?: readonly { readonly detail: string }[] };
  readonly ignored?: readonly string[];
};

type Loader = {
  readonly PayUI: {
    readonly initialise: (config: {
      readonly token: string;
      readonly containerId: string;
      readonly version: string;
      readonly ui: unknown;
    }) => { readonly on: (name: "initialise", handler: (event: InitialiseEvent) => void) => void };
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
    const checkout = SVC.PayUI.initialise({ token, containerId: "preview", version: "1.0.0", ui });
    const addNote = (words: string): void => {
      const note = page.createElement("p");
      note.setAttribute("role", "status");
      note.textContent = words;
      place.insertAdjacentElement("beforebegin", note);
    };
    checkout.on("initialise", ({ result: { status, codes = [] }, ignored }) => {
      // The loader's own words are for payers.
      if (status !== "ok")
        for (const { detail } of codes) addNote(`The checkout could not be shown. ${detail}`);
      // The server knows which values are harmless, only a browser which are colours and lengths.
      else if (ignored !== undefined)
        addNote(`Left out, because this browser can't take the value: ${ignored.join(", ")}.`);
    });
  });
}

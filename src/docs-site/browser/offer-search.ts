import { findEntries, type SearchEntry } from "../../../browser/ui/find-entries.ts";

const SHOWN = 8;

/** Results below every search box while the reader types. `/` leads to the box from anywhere on the page. */
export function offerSearch(page: Document): void {
  const boxes = Array.from(page.querySelectorAll<HTMLInputElement>("form.search input"));
  for (const box of boxes) enhance(page, box);
  page.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
    const box = boxes.filter((one) => one.offsetParent !== null)[0];
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey || box === undefined)
      return;
    event.preventDefault();
    box.focus();
    box.select();
  });
}

let index: Promise<readonly SearchEntry[]> | undefined;

/** Loaded once, when a reader first goes to the box. Without it, Enter leads to the page of results. */
function loadIndex(): Promise<readonly SearchEntry[]> {
  if (index === undefined) {
    index = fetch("/docs/search.json")
      .then((answer) => (answer.ok ? (answer.json() as Promise<readonly SearchEntry[]>) : []))
      .catch(() => {
        index = undefined;
        return [];
      });
  }
  return index;
}

/** The box as a combobox: arrows move through the results, Enter opens one or all, Escape closes them. */
function enhance(page: Document, box: HTMLInputElement): void {
  const form = box.form;
  if (form === null) return;
  const list = page.createElement("ul");
  list.id = `${box.id}-results`;
  list.className = "found";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Results");
  list.hidden = true;
  const count = page.createElement("span");
  count.className = "unseen";
  count.setAttribute("role", "status");
  form.appendChild(list);
  form.appendChild(count);
  box.setAttribute("role", "combobox");
  box.setAttribute("aria-autocomplete", "list");
  box.setAttribute("aria-controls", list.id);
  box.setAttribute("aria-expanded", "false");

  let options: readonly HTMLElement[] = [];
  let active = -1;
  const activate = (at: number): void => {
    active = at;
    const option = options[at];
    for (const one of options) one.setAttribute("aria-selected", String(one === option));
    if (option === undefined) box.removeAttribute("aria-activedescendant");
    else {
      box.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    }
  };
  const close = (): void => {
    list.hidden = true;
    box.setAttribute("aria-expanded", "false");
    activate(-1);
  };
  const show = (found: readonly SearchEntry[]): void => {
    list.textContent = "";
    options = found.map((entry, at) => optionOf(page, entry, `${list.id}-${at}`));
    for (const option of options) list.appendChild(option);
    list.hidden = options.length === 0;
    box.setAttribute("aria-expanded", String(options.length > 0));
    count.textContent =
      box.value.trim() === "" ? "" : options.length === 0 ? "No results" : `${options.length} results`;
    activate(-1);
  };
  const search = (): void => {
    const query = box.value;
    void loadIndex().then((entries) => {
      // The reader may have typed on, or left.
      if (box.value === query && page.activeElement === box) show(findEntries(entries, query, SHOWN));
    });
  };
  box.addEventListener("focus", () => void loadIndex());
  box.addEventListener("input", search);
  box.addEventListener("keydown", (event) => {
    const option = options[active];
    if (event.key === "Escape" && !list.hidden) {
      event.preventDefault();
      close();
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && options.length > 0) {
      event.preventDefault();
      if (list.hidden) {
        search();
        return;
      }
      const step = event.key === "ArrowDown" ? 1 : -1;
      // One place more than there are options: the box itself.
      activate(((active + 1 + step + options.length + 1) % (options.length + 1)) - 1);
    } else if (event.key === "Enter" && option !== undefined && !list.hidden) {
      event.preventDefault();
      open(page, option);
    }
  });
  box.addEventListener("blur", close);
  // A press keeps the focus in the box, so that the list is still there when the press ends.
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const option = options.filter((one) => one.contains(event.target as Node))[0];
    if (option !== undefined) open(page, option);
  });

  function open(within: Document, option: HTMLElement): void {
    close();
    box.blur();
    within.location.href = option.getAttribute("data-address") || "/docs/search";
  }
}

function optionOf(page: Document, { title, place, address, text }: SearchEntry, id: string): HTMLElement {
  const option = page.createElement("li");
  option.id = id;
  option.setAttribute("role", "option");
  option.setAttribute("aria-selected", "false");
  option.setAttribute("data-address", address);
  for (const [name, words] of [
    ["title", title],
    ["place", place],
    ["text", text],
  ] as const) {
    const part = page.createElement("span");
    part.className = name;
    part.textContent = words;
    option.appendChild(part);
  }
  return option;
}

const STORED_AS = "tidegate-docs-language";
const FIRST = "curl";

/** The language that the reader chose last, on any page. A browser may refuse to store it. */
export function rememberedLanguage(): string {
  try {
    return window.localStorage.getItem(STORED_AS) || FIRST;
  } catch (_refused) {
    return FIRST;
  }
}

function remember(language: string): void {
  try {
    window.localStorage.setItem(STORED_AS, language);
  } catch (_refused) {
    // The choice holds for this page.
  }
}

/** The style shows the programs of this language only. An unknown one shows the first. */
export function showLanguage(page: Document, language: string): void {
  page.documentElement.setAttribute(
    "data-language",
    /^(curl|typescript|python|php)$/.test(language) ? language : FIRST,
  );
}

/** Turns every group of programs into tabs. All groups show the same language. */
export function offerTabs(page: Document): void {
  const all: HTMLButtonElement[] = [];
  const mark = (): void => {
    const shown = page.documentElement.getAttribute("data-language");
    for (const tab of all) {
      const isShown = tab.getAttribute("data-language") === shown;
      tab.setAttribute("aria-selected", String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
    }
  };
  const choose = (tab: HTMLButtonElement): void => {
    const before = tab.getBoundingClientRect().top;
    const language = tab.getAttribute("data-language") || FIRST;
    showLanguage(page, language);
    remember(language);
    mark();
    tab.focus({ preventScroll: true });
    // Programs above have other lengths now; the chosen tab stays where the reader sees it.
    window.scrollBy(0, tab.getBoundingClientRect().top - before);
  };
  Array.from(page.querySelectorAll<HTMLElement>(".programs")).forEach((group, at) => {
    const list = page.createElement("div");
    list.className = "tabs";
    list.setAttribute("role", "tablist");
    list.setAttribute("aria-label", "Language");
    const tabs: HTMLButtonElement[] = [];
    for (const program of Array.from(group.querySelectorAll<HTMLElement>(".program"))) {
      const language = program.getAttribute("data-language") || FIRST;
      const label = program.querySelector(".language");
      const tab = page.createElement("button");
      tab.type = "button";
      tab.id = `tab-${at}-${language}`;
      tab.textContent = label === null ? language : label.textContent;
      tab.setAttribute("role", "tab");
      tab.setAttribute("data-language", language);
      tab.setAttribute("aria-controls", `program-${at}-${language}`);
      tab.addEventListener("click", () => choose(tab));
      program.id = `program-${at}-${language}`;
      program.setAttribute("role", "tabpanel");
      program.setAttribute("aria-labelledby", tab.id);
      if (label !== null) label.remove();
      tabs.push(tab);
      list.appendChild(tab);
    }
    list.addEventListener("keydown", (event) => {
      const here = tabs.indexOf(event.target as HTMLButtonElement);
      const next = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: tabs.length - 1 }[event.key];
      const tab = next === undefined ? undefined : tabs[(next + tabs.length) % tabs.length];
      if (tab === undefined) return;
      event.preventDefault();
      choose(tab);
    });
    group.insertBefore(list, group.firstChild);
    all.push(...tabs);
  });
  mark();
}

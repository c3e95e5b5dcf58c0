const FIRST_WAIT = 2_000;
const LONGEST_WAIT = 30_000;
const GIVE_UP_AFTER = 15 * 60_000;

/** While something is under way the page is fetched anew, and what changed takes its place; ever more rarely. */
export function refreshLive(page: Document): void {
  const began = Date.now();
  let wait = FIRST_WAIT;
  const look = () => {
    const live = page.getElementById("live");
    if (live === null || live.getAttribute("data-live") !== "on" || Date.now() - began > GIVE_UP_AFTER)
      return;
    window.setTimeout(() => {
      void fetch(window.location.href, { credentials: "same-origin", redirect: "error" })
        .then((answer) => (answer.ok ? answer.text() : ""))
        .then((text) => {
          if (text !== "" && takeOver(page, live, text)) wait = FIRST_WAIT;
        })
        .catch(() => {})
        .then(look);
      wait = Math.min(LONGEST_WAIT, wait * 1.3);
    }, wait);
  };
  look();
}

/** True when there was something new. Whoever has the keyboard inside keeps it: then it waits for the next time. */
function takeOver(page: Document, live: HTMLElement, text: string): boolean {
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("live");
  if (fresh === null || fresh.textContent === live.textContent || live.contains(page.activeElement))
    return false;
  for (const open of Array.from(live.querySelectorAll("details[open][id]"))) {
    const same = fresh.querySelector(`#${open.id}`);
    if (same !== null) same.setAttribute("open", "");
  }
  live.innerHTML = fresh.innerHTML;
  live.setAttribute("data-live", fresh.getAttribute("data-live") ?? "off");
  return true;
}

import { REFRESH_HEADER } from "../../../browser/ui/refresh-header.ts";
import { offerCopies } from "./offer-copies.ts";

const FIRST_WAIT = 2_000;
const LONGEST_WAIT = 30_000;
const GIVE_UP_AFTER = 15 * 60_000;

/** While a payment is under way, fetches the page again, ever more rarely, and replaces what changed. */
export function refreshLive(page: Document): void {
  const began = Date.now();
  let wait = FIRST_WAIT;
  const schedule = () => {
    const live = page.getElementById("live");
    if (live === null || live.getAttribute("data-live") !== "on" || Date.now() - began > GIVE_UP_AFTER)
      return;
    window.setTimeout(() => {
      const headers = { [REFRESH_HEADER]: "1" };
      void fetch(window.location.href, { credentials: "same-origin", redirect: "error", headers })
        .then((answer) => (answer.ok ? answer.text() : ""))
        .then((text) => {
          if (text !== "" && replaceLive(page, live, text)) wait = FIRST_WAIT;
        })
        .catch(() => {})
        .then(schedule);
      wait = Math.min(LONGEST_WAIT, wait * 1.3);
    }, wait);
  };
  schedule();
}

/** True when the page changed. While the focus is inside, nothing is replaced. */
function replaceLive(page: Document, live: HTMLElement, text: string): boolean {
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("live");
  if (fresh === null || fresh.textContent === live.textContent || live.contains(page.activeElement))
    return false;
  for (const open of Array.from(live.querySelectorAll("details[open][id]"))) {
    const same = fresh.querySelector(`#${open.id}`);
    if (same !== null) same.setAttribute("open", "");
  }
  live.innerHTML = fresh.innerHTML;
  live.setAttribute("data-live", fresh.getAttribute("data-live") ?? "off");
  offerCopies(page, live);
  return true;
}

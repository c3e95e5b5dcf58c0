import type { PayIdWords } from "../../src/kernel/languages/catalogue.ts";
import type { OpenedPayId, WatchedState } from "../paying/read-payid.ts";
import { getElement } from "../ui/get-element.ts";
import { returnedWords } from "../ui/payid-panel.ts";
import { copyText } from "./copy-text.ts";
import { startCountdown } from "./countdown.ts";

const COPIED_FOR_MS = 2_000;
const PRESSED_MS = 500;

/** What a script adds to the panel. */
export type Panel = {
  readonly showState: (state: WatchedState) => void;
  readonly showOffline: (isOffline: boolean) => void;
  readonly onOverdue: (check: () => void) => void;
  /** The payer presses "Check again", which is there while the gateway can't be reached. */
  readonly onAgain: (check: () => void) => void;
};

export function enhancePanel(place: Element, words: PayIdWords, opened: OpenedPayId): Panel {
  const announcer = getElement(document, "#announcer");
  for (const button of Array.from(place.querySelectorAll<HTMLButtonElement>(".payid-copy"))) {
    enhanceCopying(button, words, (said) => {
      announcer.textContent = said;
    });
  }
  // A payer with a mouse may want the phone, on which the bank's app is.
  if (window.matchMedia("(hover: hover)").matches) getElement(place, ".payid-phone").setAttribute("open", "");

  const countdown = startCountdown(getElement<HTMLElement>(place, "#payid-left"), opened.secondsLeft);
  const notice = getElement<HTMLElement>(place, ".payid-returned");
  const help = getElement(place, "#payid-help");
  const again = getElement<HTMLButtonElement>(place, "#payid-again");
  return {
    showState: ({ state, secondsLeft, returned }) => {
      if (state !== "waiting") countdown.stop();
      else countdown.correct(secondsLeft);
      const text = returnedWords(words, { ...opened, ...(returned !== undefined && { returned }) });
      if (text === "" || text === notice.textContent) return;
      notice.hidden = false;
      getElement(notice, "span").textContent = text;
    },
    showOffline: (isOffline) => {
      const text = isOffline ? words.offline : words.waitingHelp;
      again.hidden = !isOffline;
      again.textContent = words.checkAgain;
      if (help.textContent !== text) help.textContent = text;
    },
    onOverdue: countdown.onOverdue,
    onAgain: (check) => {
      again.onclick = () => {
        // Long enough to be seen: offline, the check fails at once.
        again.textContent = words.oneMoment;
        setTimeout(check, PRESSED_MS);
      };
    },
  };
}

function enhanceCopying(
  button: HTMLButtonElement,
  { copy, copied, notCopied }: PayIdWords,
  announce: (said: string) => void,
): void {
  const value = button.previousElementSibling;
  if (value === null) return;
  let timer: number | undefined;
  button.hidden = false;
  button.addEventListener("click", () => {
    const isCopied = copyText(value, value.getAttribute("data-copied") ?? "");
    button.textContent = isCopied ? copied : copy;
    // Emptied first: the same words again are announced again.
    announce("");
    setTimeout(() => announce(isCopied ? copied : notCopied));
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      button.textContent = copy;
    }, COPIED_FOR_MS);
  });
}

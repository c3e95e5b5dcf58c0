import { getElement } from "./get-element.ts";
import type { SavedCard } from "./saved-cards.ts";

const CHOICES = "[name=savedCard]";

/** A double click, or a second tap by mistake, is no answer to the question. */
const ANSWER_AFTER_MS = 700;

/** What only a card that is not saved yet needs. Where wallets are offered, too, consent is about them as well. */
const OF_ANOTHER = ".field-number,.field-expiry,.field-name,.pair~.field-consent";

type Options = {
  /** What a button asks before it removes its card. */
  readonly question: string;
  /** The chosen card: undefined for another one. */
  readonly saved: () => SavedCard | undefined;
  /** At first, and after another card was chosen. */
  readonly onChoice: () => void;
  /** Removes a card for good. False: it could not be removed. */
  readonly onRemove: (id: string) => Promise<boolean>;
  readonly announce: (words: string) => void;
  readonly onNotRemoved: () => void;
};

/** The card that the payer chose among these: undefined for another one. */
export function chosenCard(form: HTMLFormElement, cards: readonly SavedCard[]): SavedCard | undefined {
  const choice = form.querySelector<HTMLInputElement>(`${CHOICES}:checked`);
  return cards.find(({ id }) => id === choice?.value);
}

/** Shows the fields that the chosen card needs, and removes cards. */
export function controlSavedCards(
  form: HTMLFormElement,
  { question, saved, onChoice, onRemove, announce, onNotRemoved }: Options,
): void {
  function showFields(): void {
    for (const field of Array.from(form.querySelectorAll<HTMLElement>(OF_ANOTHER))) {
      field.hidden = saved() !== undefined;
    }
    onChoice();
  }

  for (const choice of Array.from(form.querySelectorAll(CHOICES))) {
    choice.addEventListener("change", showFields);
  }
  for (const button of Array.from(form.querySelectorAll<HTMLButtonElement>(".saved button"))) {
    const words = getElement(button, "span");
    const { textContent: remove } = words;
    let askedAt = 0;
    const withdraw = (): void => {
      if (words.textContent === question) announce("");
      words.textContent = remove;
    };
    button.addEventListener("blur", withdraw);
    button.addEventListener("keydown", (event) => {
      if (event.key === "Escape") withdraw();
      // A key that is held down is one answer.
      if (event.repeat) event.preventDefault();
    });
    button.addEventListener("click", (event) => {
      event.preventDefault();
      if (words.textContent !== question) {
        words.textContent = question;
        askedAt = Date.now();
        // Safari focuses no button by a click; leaving it withdraws the question.
        button.focus();
        announce(button.textContent ?? "");
        return;
      }
      if (event.detail > 1 || Date.now() - askedAt < ANSWER_AFTER_MS) return;
      withdraw();
      button.disabled = true;
      void onRemove(button.value).then((isRemoved) => {
        if (!isRemoved) {
          button.disabled = false;
          onNotRemoved();
          return;
        }
        const group = getElement<HTMLElement>(form, ".saved");
        group.removeChild(button.parentElement as Node);
        const [next, other] = Array.from(form.querySelectorAll<HTMLInputElement>(CHOICES));
        // Without a saved card there is nothing to choose.
        group.hidden = other === undefined;
        if (next !== undefined && form.querySelector(`${CHOICES}:checked`) === null) next.checked = true;
        showFields();
        (group.hidden ? getElement<HTMLElement>(form, "#number") : next)?.focus();
      });
    });
  }
  if (saved() !== undefined) showFields();
}

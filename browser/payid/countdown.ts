const SECOND_MS = 1_000;
const DAY_SECONDS = 86_400;

export type Countdown = {
  /** The gateway's own count, now. */
  readonly correct: (secondsLeft: number) => void;
  readonly onOverdue: (check: () => void) => void;
  readonly stop: () => void;
};

/** Counts down the last day. By the gateway's clock: the payer's may be wrong. */
export function startCountdown(place: HTMLElement, secondsLeft: number): Countdown {
  const digits = place.querySelector("b");
  let end = Date.now() + secondsLeft * SECOND_MS;
  let onceOverdue: (() => void) | undefined;
  const show = (): void => {
    const left = Math.max(0, Math.round((end - Date.now()) / SECOND_MS));
    place.hidden = left > DAY_SECONDS;
    if (digits !== null) digits.textContent = asClock(left);
    if (left > 0) return;
    onceOverdue?.();
    onceOverdue = undefined;
  };
  const timer = setInterval(show, SECOND_MS);
  show();
  return {
    correct: (seconds) => {
      const corrected = Date.now() + seconds * SECOND_MS;
      // Less is how long the answer took.
      if (Math.abs(corrected - end) > 2 * SECOND_MS) end = corrected;
    },
    onOverdue: (callback) => {
      onceOverdue = callback;
    },
    stop: () => clearInterval(timer),
  };
}

/** 59:05, or 23:59:05 with hours. */
function asClock(seconds: number): string {
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, at) => (at === 0 ? String(part) : `0${part}`.slice(-2))).join(":");
}

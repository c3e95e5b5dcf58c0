let pointerDown = false;
let waiting: (() => void)[] = [];

/**
 * Runs work at once, or, while the pointer is down, right after the click. A message that appears in between would move
 * the button away from under the pointer, and the click would be lost.
 */
export function afterClick(work: () => void): void {
  if (pointerDown) waiting.push(work);
  else work();
}

/** Call once per page. */
export function trackPointer(): void {
  const down = (): void => {
    pointerDown = true;
  };
  const up = (): void => {
    // The click event follows mouseup at once; the timeout runs after both.
    setTimeout(() => {
      pointerDown = false;
      const due = waiting;
      waiting = [];
      for (const work of due) work();
    });
  };
  document.addEventListener("mousedown", down, true);
  document.addEventListener("mouseup", up, true);
}

let pressing = false;
let waiting: (() => void)[] = [];

/**
 * Runs work at once, or, while the mouse or a finger is pressing, right after the click that comes of it. Words that
 * appear between press and release move the button away from under the finger, and the click would be lost.
 */
export function afterPress(work: () => void): void {
  if (pressing) waiting.push(work);
  else work();
}

/** Begins to watch the pointer. Once per page. */
export function watchPress(): void {
  const press = (): void => {
    pressing = true;
  };
  const release = (): void => {
    // The click follows the release at once; what waits comes after both.
    setTimeout(() => {
      pressing = false;
      const due = waiting;
      waiting = [];
      for (const work of due) work();
    });
  };
  document.addEventListener("mousedown", press, true);
  document.addEventListener("mouseup", release, true);
}

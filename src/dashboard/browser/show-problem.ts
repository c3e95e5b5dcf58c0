/** Focuses the first field with a problem, or else the notice. */
export function showProblem(page: Document): void {
  const wrong = page.querySelector<HTMLElement>('[aria-invalid="true"]');
  const target = wrong === null ? page.querySelector<HTMLElement>(".notice") : wrong;
  if (target !== null) target.focus();
}

/** After a form whoever types goes on where the first problem is, or else hears what came of it first. */
export function showProblem(page: Document): void {
  const wrong = page.querySelector<HTMLElement>('[aria-invalid="true"]');
  const said = wrong === null ? page.querySelector<HTMLElement>(".notice") : wrong;
  if (said !== null) said.focus();
}

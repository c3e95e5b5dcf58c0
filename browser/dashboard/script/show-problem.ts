/** After a form was refused, whoever types goes on where the first problem is. */
export function showProblem(page: Document): void {
  const wrong = page.querySelector<HTMLElement>('[aria-invalid="true"]');
  if (wrong !== null) wrong.focus();
}

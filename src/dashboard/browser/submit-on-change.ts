/** With scripts, a choice submits its form and needs no button. */
export function submitOnChange(page: Document): void {
  for (const select of Array.from(page.querySelectorAll<HTMLSelectElement>("select[data-submit]"))) {
    const button = select.form === null ? null : select.form.querySelector("button");
    if (button !== null) button.hidden = true;
    select.addEventListener("change", () => {
      if (select.form !== null) select.form.submit();
    });
  }
}

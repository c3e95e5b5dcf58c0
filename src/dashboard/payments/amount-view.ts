import { type Html, html } from "../../../browser/ui/html.ts";
import { facts, panel } from "../shell/parts/facts.ts";
import { field } from "../shell/parts/form.ts";

export type AmountForm = {
  readonly action: string;
  readonly backTo: string;
  readonly button: string;
  readonly facts: readonly (readonly [string, string])[];
  readonly hint: string;
  readonly typed: { readonly amount: string; readonly reference?: string };
  readonly problems: { readonly amount?: string | undefined; readonly reference?: string | undefined };
};

/** How much? It changes nothing yet, so it is a GET; the next step says exactly what will happen. */
export function amountForm({ action, backTo, button, facts: rows, hint, typed, problems }: AmountForm): Html {
  const fields = [
    field({
      name: "amount",
      label: "Amount in dollars",
      value: typed.amount,
      inputmode: "decimal",
      hint,
      problem: problems.amount,
      required: true,
      width: "short",
    }),
    ...(typed.reference === undefined
      ? []
      : [
          field({
            name: "reference",
            label: "Reference (optional)",
            value: typed.reference,
            problem: problems.reference,
          }),
        ]),
  ];
  return panel(
    "How much?",
    html`${facts(rows)}<form class="form amount-form" method="get" action="${action}">${fields}<p class="buttons"><button class="button">${button}</button><a href="${backTo}">Go back</a></p></form>`,
  );
}

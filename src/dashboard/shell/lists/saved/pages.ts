import type { Section } from "../../layout.ts";
import { type MerchantPage, type MerchantVisit, merchantPage, redirect } from "../../page.ts";
import { deleteFilter, type FilterPlace } from "./queries.ts";
import { saveFilter } from "./save-filter.ts";

export function filterPlace({ merchant, user }: MerchantVisit, section: Section): FilterPlace {
  return { merchantId: merchant.id, userId: user.id, section };
}

/** The user's own filters: every role has them. `clean` keeps of a query what the list knows. */
export function filterPages(section: Section, clean: (query: string) => string): readonly MerchantPage[] {
  return [
    merchantPage({
      method: "POST",
      path: `/${section}/filters`,
      right: "read",
      audit: `filter of ${section} saved`,
      run: async (ctx, visit) => {
        const { fields, base } = visit;
        const filter = { name: (fields["name"] ?? "").trim(), query: clean(fields["query"] ?? "") };
        const problem = await saveFilter(ctx, filterPlace(visit, section), filter);
        const list = `${base}/${section}${filter.query === "" ? "" : `?${filter.query}`}`;
        return problem === undefined
          ? redirect(list, `The filter is saved as “${filter.name}”.`)
          : redirect(list, problem, "bad");
      },
    }),
    merchantPage({
      method: "POST",
      path: `/${section}/filters/delete`,
      right: "read",
      audit: `filter of ${section} deleted`,
      run: async (ctx, visit) => {
        await deleteFilter(ctx.db, filterPlace(visit, section), visit.fields["name"] ?? "");
        return redirect(`${visit.base}/${section}`, "The filter is deleted.");
      },
    }),
  ];
}

import { html } from "../../../browser/ui/html.ts";
import { listMerchants } from "../../features/merchants/index.ts";
import { parseId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import { merchantBase, SECTIONS } from "./layout.ts";
import { badge } from "./parts/badge.ts";
import { code } from "./parts/facts.ts";
import { filters } from "./parts/filters.ts";
import { field } from "./parts/form.ts";
import { emptyState, table } from "./parts/table.ts";
import type { OwnPage } from "./visit.ts";

const SHOWN_AT_MOST = 200;

/** Where everybody begins, and how an operator gets from one merchant to another. */
export const homePages: readonly OwnPage[] = [
  {
    method: "GET",
    path: "/",
    may: "read",
    run: async (ctx, { user }) => {
      if (user.merchantId !== null) return { goTo: merchantBase(user.merchantId) };
      const merchants = await listMerchants(ctx.db);
      const [only] = merchants;
      return {
        goTo: only !== undefined && merchants.length === 1 ? merchantBase(only.id) : "/dashboard/merchants",
      };
    },
  },
  {
    method: "GET",
    path: "/switch",
    may: "read",
    run: async (_ctx, { query }) => {
      const id = parseId("merchant", query["merchant"] ?? "") ?? refuse("resource_not_found");
      const section = SECTIONS.find(({ path }) => path === query["section"])?.path ?? "";
      return { goTo: section === "" ? merchantBase(id) : `${merchantBase(id)}/${section}` };
    },
  },
  {
    method: "GET",
    path: "/merchants",
    may: "operate",
    run: async (ctx, { query }) => {
      const wanted = (query["name"] ?? "").trim();
      const all = await listMerchants(ctx.db);
      const found = all.filter(
        ({ id, name }) => id === wanted || name.toLowerCase().includes(wanted.toLowerCase()),
      );
      const rows = found
        .slice(0, SHOWN_AT_MOST)
        .map(({ id, name, mode, country }) => [
          html`<a href="${merchantBase(id)}">${name}</a>`,
          badge(mode, mode === "live" ? "live" : "quiet"),
          country,
          code(id),
        ]);
      const columns = ["Name", "Mode", "Country", "Id"].map((head) => ({ head }));
      const list =
        rows.length === 0
          ? emptyState("No merchant has this name or id.")
          : table({ caption: `${found.length} of ${all.length} merchants`, columns, rows, stacks: true });
      const search = filters("/dashboard/merchants", [
        field({ name: "name", label: "Name or id", value: wanted, type: "search" }),
      ]);
      return { title: "Merchants", content: html`${search}${list}` };
    },
  },
];

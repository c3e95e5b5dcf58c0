import { searchMerchants } from "../../features/merchants/index.ts";
import { parseId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import { merchantBase, SECTIONS } from "./layout.ts";
import type { OwnPage } from "./page.ts";
import { MERCHANTS_ON_A_PAGE, merchantsView } from "./view.ts";

/** The start page, and the way from one merchant to another for an operator. */
export const shellPages: readonly OwnPage[] = [
  {
    method: "GET",
    path: "/",
    right: "read",
    run: async (ctx, { user }) => {
      if (user.merchantId !== null) return { goTo: merchantBase(user.merchantId) };
      const merchants = await searchMerchants(ctx.db, { atMost: 2 });
      const [only] = merchants;
      return {
        goTo: only !== undefined && merchants.length === 1 ? merchantBase(only.id) : "/dashboard/merchants",
      };
    },
  },
  {
    method: "GET",
    path: "/switch",
    right: "read",
    run: async (_ctx, { query }) => {
      const id = parseId("merchant", query["merchant"] ?? "") ?? refuse("resource_not_found");
      const section = SECTIONS.find(({ path }) => path === query["section"])?.path ?? "";
      return { goTo: section === "" ? merchantBase(id) : `${merchantBase(id)}/${section}` };
    },
  },
  {
    method: "GET",
    path: "/merchants",
    right: "operate",
    run: async (ctx, { query }) => {
      const { after = "" } = query;
      const text = (query["name"] ?? "").trim();
      const found = await searchMerchants(ctx.db, { text, after, atMost: MERCHANTS_ON_A_PAGE + 1 });
      return { title: "Merchants", content: merchantsView(found, { text, isFirst: after === "" }) };
    },
  },
];

import { type MerchantPage, merchantPage } from "../shell/page.ts";
import { PERIODS } from "./overview.ts";
import { readOverview } from "./read-overview.ts";
import { overviewView } from "./view.ts";

export const overviewPages: readonly MerchantPage[] = [
  merchantPage({
    method: "GET",
    path: "/",
    right: "read",
    run: async (ctx, visit) => {
      const period = PERIODS.find((one) => one === visit.query["period"]) ?? "7d";
      const overview = await readOverview(ctx, visit.merchant, period);
      return { title: "Overview", section: "", content: overviewView(visit, overview) };
    },
  }),
];

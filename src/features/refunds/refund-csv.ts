import { OUTCOMES } from "../../kernel/codes/outcomes.ts";
import type { CsvSpec } from "../../platform/http/csv.ts";
import type { Refund } from "./refund.ts";

export const REFUND_CSV: CsvSpec<Refund> = {
  columns: ["code"],
  common: (refund) => refund,
  cells: ({ code }) => [code === null ? null : OUTCOMES[code]],
};

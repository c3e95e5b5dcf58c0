import type { SealedColumn } from "../../platform/vault/rotation/sealed-column.ts";

export const SEALED_ACQUIRER_SETTINGS: SealedColumn = {
  table: "acquirer_accounts",
  column: "sealed_settings",
  id: "id",
  purposeOf: settingsPurpose,
};

/** Settings open only for the account that they were sealed for. */
export function settingsPurpose(id: string): string {
  return `acquirer settings of ${id}`;
}

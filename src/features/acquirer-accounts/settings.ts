import type { Context } from "../../platform/context.ts";
import type { SealedColumn } from "../../platform/vault/rotation/sealed-column.ts";

export const SEALED_ACQUIRER_SETTINGS: SealedColumn = {
  table: "acquirer_accounts",
  column: "sealed_settings",
  id: "id",
  purposeOf: settingsPurpose,
};

/** One line for each problem; none when a connector of that name takes the settings. */
export async function settingsProblems(
  { connectors }: Pick<Context, "connectors">,
  name: string,
  settings: unknown,
): Promise<readonly string[]> {
  const connector = connectors.findAcquirerConnector(name);
  if (connector !== undefined) return connector.checkSettings(settings);
  const names = connectors.acquirerConnectorNames.join(", ");
  return [`there is no acquirer connector named ${name}: use one of ${names}`];
}

/** Settings open only for the account that they were sealed for. */
export function settingsPurpose(id: string): string {
  return `acquirer settings of ${id}`;
}

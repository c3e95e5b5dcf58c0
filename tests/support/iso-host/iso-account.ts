import type { Iso8583Settings } from "../../../src/connectors/iso8583/settings.ts";
import { addAccount } from "../../../src/features/acquirer-accounts/index.ts";
import type { Id } from "../../../src/kernel/ids.ts";
import type { TestDatabase } from "../database.ts";
import { inContext } from "../operator.ts";
import { settingsFor } from "./test-link.ts";

/** Connects a merchant to a host on this machine, as `acquirer add` does. Returns the account's id. */
export async function addIsoAccount(
  database: TestDatabase,
  merchantId: string,
  port: number,
  changes: Partial<Iso8583Settings> = {},
): Promise<Id<"acquirerAccount">> {
  const { tls, ...settings } = settingsFor(port, changes);
  const input = {
    connector: "iso8583",
    settings: tls === null ? settings : { ...settings, tls },
    currencies: [],
    cardTypes: [],
  };
  return inContext(database, async (ctx) => {
    const added = await addAccount(ctx, { id: merchantId as Id<"merchant"> }, input);
    if ("problems" in added) throw new Error(added.problems.join("; "));
    return added.id;
  });
}

import { jsonIn } from "../../kernel/json.ts";
import type { Context } from "../../platform/context.ts";
import { listLiveAccounts } from "./queries.ts";
import { settingsPurpose } from "./settings.ts";

type Parts = Pick<Context, "db" | "sealedTexts" | "connectors">;

type AccountKeyFile = { readonly accountId: string; readonly file: string };

const AT_ONCE = 100;

/** The key files that active accounts of live merchants name in their settings, one after the other. */
export async function* listKeyFiles({ db, sealedTexts, connectors }: Parts): AsyncGenerator<AccountKeyFile> {
  const names = connectors.acquirerConnectorNames.filter(
    (name) => connectors.findAcquirerConnector(name)?.keyFilesIn !== undefined,
  );
  for (let after = ""; ; ) {
    const accounts = await listLiveAccounts(db, names, after, AT_ONCE);
    for (const { id, connector, sealedSettings } of accounts) {
      const settings = jsonIn(await sealedTexts.open(db, settingsPurpose(id), sealedSettings));
      const files = connectors.findAcquirerConnector(connector)?.keyFilesIn?.(settings) ?? [];
      yield* files.map((file) => ({ accountId: id, file }));
    }
    if (accounts.length < AT_ONCE) return;
    after = accounts.at(-1)?.id ?? "";
  }
}

import { jsonIn } from "../../kernel/json.ts";
import type { Context } from "../../platform/context.ts";
import { listLiveAccounts } from "./queries.ts";
import { settingsPurpose } from "./settings.ts";

type Parts = Pick<Context, "db" | "sealedTexts" | "connectors">;

/** What an account's settings say: the key files that they name, or that they can't be read. */
export type AccountKeyFiles = { readonly accountId: string } & (
  | { readonly isReadable: true; readonly files: readonly string[] }
  | { readonly isReadable: false }
);

const AT_ONCE = 500;

/**
 * The key files that active accounts of live merchants name in their settings, account by account. Two queries for each 500
 * accounts; settings that can't be read hide no other account's.
 */
export async function* listKeyFiles({ db, sealedTexts, connectors }: Parts): AsyncGenerator<AccountKeyFiles> {
  const names = connectors.acquirerConnectorNames.filter(
    (name) => connectors.findAcquirerConnector(name)?.keyFilesIn !== undefined,
  );
  for (let after = ""; ; ) {
    const accounts = await listLiveAccounts(db, names, after, AT_ONCE);
    const texts = accounts.map(({ id, sealedSettings }) => ({
      purpose: settingsPurpose(id),
      sealed: sealedSettings,
    }));
    const opened = await sealedTexts.openAll(db, texts);
    for (const [index, { id, connector }] of accounts.entries()) {
      const text = opened[index];
      if (text === undefined) {
        yield { accountId: id, isReadable: false };
        continue;
      }
      const files = connectors.findAcquirerConnector(connector)?.keyFilesIn?.(jsonIn(text)) ?? [];
      yield { accountId: id, isReadable: true, files };
    }
    if (accounts.length < AT_ONCE) return;
    after = accounts.at(-1)?.id ?? "";
  }
}

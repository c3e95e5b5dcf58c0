import type { Acquirer, Acquirers, RoutedMerchant } from "../../connectors/ports/acquirers.ts";
import type { Id } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import { readOnce } from "../../platform/cache-invalidation/read-once.ts";
import type { Context } from "../../platform/context.ts";
import type { AcquirerAccount } from "./acquirer-account.ts";
import { keepConnected } from "./keep-connected.ts";
import { AccountUnusable, createOpenedAccounts } from "./opened-accounts.ts";
import { listAccounts } from "./queries.ts";

/** The subject of cache invalidation: nodes read accounts again when it is marked. */
export const ACQUIRER_ACCOUNTS = "acquirer_accounts";

type Parts = Pick<Context, "db" | "sealedTexts" | "cacheInvalidation" | "connectors" | "log">;

/** Routes payments to acquirer accounts. Accounts are cached until one changes, so routing costs no round trip. */
export function createAcquirers(parts: Parts): Acquirers {
  const { db, cacheInvalidation, connectors, log } = parts;
  const accountsOf = readOnce(cacheInvalidation, ACQUIRER_ACCOUNTS, (merchantId: Id<"merchant">) =>
    listAccounts(db, merchantId),
  );
  const opened = createOpenedAccounts({ ...parts, accountsOf });

  const acquirerOf = async (account: AcquirerAccount): Promise<Acquirer> => ({
    accountId: account.id,
    connector: account.connector,
    currencies: account.currencies,
    cardTypes: account.cardTypes,
    host: await opened.hostOf(account),
  });

  function simulatorOf({ mode }: RoutedMerchant): Acquirer {
    if (mode === "live") refuse("checkout_acquirer_missing");
    const host = connectors.sandboxAcquirer;
    return { accountId: null, connector: "sandbox", currencies: [], cardTypes: [], host };
  }

  /** The active accounts that can be opened. */
  async function usable(accounts: readonly AcquirerAccount[]): Promise<readonly Acquirer[]> {
    const opening = accounts.map(async (account): Promise<readonly Acquirer[]> => {
      if (account.status !== "active") return [];
      try {
        return [await acquirerOf(account)];
      } catch (error) {
        if (!(error instanceof AccountUnusable)) throw error;
        log.error({ merchantId: account.merchantId, subjectId: account.id, error }, error.message);
        return [];
      }
    });
    return (await Promise.all(opening)).flat();
  }

  const connections = keepConnected(parts, { open: opened.hostOf, closeOthers: opened.closeOthers });

  return {
    keepConnected: () => {
      cacheInvalidation.onChange(ACQUIRER_ACCOUNTS, connections.renew);
      connections.renew();
    },
    listActive: async (merchant) => {
      const accounts = await accountsOf(merchant.id);
      if (accounts.length === 0) return merchant.mode === "sandbox" ? [simulatorOf(merchant)] : [];
      return usable(accounts);
    },
    get: async (merchant, accountId) => {
      if (accountId === null) return simulatorOf(merchant);
      const account = (await accountsOf(merchant.id)).find(({ id }) => id === accountId);
      if (account === undefined) throw new Error("a payment's acquirer account does not exist");
      const acquirer = await acquirerOf(account);
      if (account.status === "disabled") opened.closeAfterUse(account.id);
      return acquirer;
    },
    listLinks: opened.listLinks,
    close: async () => {
      await connections.stop();
      await opened.close();
    },
  };
}

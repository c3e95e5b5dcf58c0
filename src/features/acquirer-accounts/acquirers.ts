import type { AcquirerConnector } from "../../connectors/ports/acquirer-connector.ts";
import type { Acquirer, Acquirers, RoutedMerchant } from "../../connectors/ports/acquirers.ts";
import type { CardAcquirer } from "../../connectors/ports/card-acquirer.ts";
import type { Id } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import { findMerchant, zoneOf } from "../merchants/index.ts";
import type { AcquirerAccount } from "./acquirer-account.ts";
import { keepConnected } from "./keep-connected.ts";
import { listAccounts } from "./queries.ts";
import { settingsPurpose } from "./settings.ts";

/** The subject of cache invalidation: nodes read accounts again when it is marked. */
export const ACQUIRER_ACCOUNTS = "acquirer_accounts";

type Parts = Pick<Context, "db" | "sealedTexts" | "cacheInvalidation" | "connectors" | "log">;

/** An account's open connection, which an unchanged account keeps. */
type Opened = {
  readonly sealedSettings: string;
  readonly connector: string;
  readonly host: CardAcquirer;
};

/**
 * Routes payments to acquirer accounts. Accounts are cached until one changes, so routing costs no round trip. An account is
 * opened once per process; after a change of its settings the old connection closes when its calls have ended.
 */
export function createAcquirers(parts: Parts): Acquirers {
  const { db, sealedTexts, cacheInvalidation, connectors, log } = parts;
  const cache = new Map<Id<"merchant">, Promise<readonly AcquirerAccount[]>>();
  const opened = new Map<Id<"acquirerAccount">, Promise<Opened>>();
  cacheInvalidation.onChange(ACQUIRER_ACCOUNTS, () => cache.clear());

  function accountsOf(merchantId: Id<"merchant">): Promise<readonly AcquirerAccount[]> {
    const known = cache.get(merchantId);
    if (known !== undefined) return known;
    const reading = listAccounts(db, merchantId);
    cache.set(merchantId, reading);
    reading.catch(() => cache.delete(merchantId));
    return reading;
  }

  async function open(account: AcquirerAccount): Promise<Opened> {
    const { id, merchantId, sealedSettings } = account;
    const connector = connectors.findAcquirerConnector(account.connector) ?? missing(account);
    const merchant = await findMerchant(db, merchantId);
    if (merchant === undefined) throw new Error("an acquirer account has no merchant");
    const settings: unknown = JSON.parse(await sealedTexts.open(db, settingsPurpose(id), sealedSettings));
    const host = connector.open({
      id,
      merchantId,
      merchantName: merchant.name,
      zone: zoneOf(merchant),
      settings,
    });
    return { sealedSettings, connector: account.connector, host };
  }

  async function hostOf(account: AcquirerAccount): Promise<CardAcquirer> {
    const known = opened.get(account.id);
    const current = known && (await known.catch(() => undefined));
    // A key rotation seals the same settings again; opening them once more is harmless.
    if (current?.sealedSettings === account.sealedSettings) return current.host;
    if (opened.get(account.id) === known) {
      const opening = open(account);
      opened.set(account.id, opening);
      if (current !== undefined) closeLater(current.host);
      opening.catch(() => {
        if (opened.get(account.id) === opening) opened.delete(account.id);
      });
    }
    const now = await opened.get(account.id);
    if (now === undefined) throw new Error("an acquirer account was closed while it was opened");
    return now.host;
  }

  function closeLater(host: CardAcquirer): void {
    setTimeout(() => {
      host.close().catch((error: unknown) => log.warn({ error }, "acquirer connection not closed"));
    }, host.answersWithinMs).unref();
  }

  const acquirerOf = async (account: AcquirerAccount): Promise<Acquirer> => ({
    accountId: account.id,
    connector: account.connector,
    currencies: account.currencies,
    cardTypes: account.cardTypes,
    host: await hostOf(account),
  });

  function simulatorOf({ mode }: RoutedMerchant): Acquirer {
    if (mode === "live") refuse("checkout_acquirer_missing");
    const host = connectors.sandboxAcquirer;
    return { accountId: null, connector: "sandbox", currencies: [], cardTypes: [], host };
  }

  const connections = keepConnected(parts, async (account) => {
    await (await hostOf(account)).connect?.();
  });

  return {
    keepConnected: () => {
      cacheInvalidation.onChange(ACQUIRER_ACCOUNTS, connections.renew);
      connections.renew();
    },
    listActive: async (merchant) => {
      const accounts = await accountsOf(merchant.id);
      if (accounts.length === 0) return merchant.mode === "sandbox" ? [simulatorOf(merchant)] : [];
      return Promise.all(accounts.filter(({ status }) => status === "active").map(acquirerOf));
    },
    get: async (merchant, accountId) => {
      if (accountId === null) return simulatorOf(merchant);
      const account = (await accountsOf(merchant.id)).find(({ id }) => id === accountId);
      if (account === undefined) throw new Error("a payment's acquirer account does not exist");
      return acquirerOf(account);
    },
    listLinks: async () => {
      const links = [...opened].map(async ([accountId, opening]) => {
        const one = await opening.catch(() => undefined);
        const isUp = one?.host.isConnected?.();
        return one === undefined || isUp === undefined ? [] : [{ accountId, connector: one.connector, isUp }];
      });
      return (await Promise.all(links)).flat();
    },
    close: async () => {
      await connections.stop();
      const all = [...opened.values()];
      opened.clear();
      await Promise.all(all.map(async (one) => (await one.catch(() => undefined))?.host.close()));
    },
  };
}

function missing({ connector }: AcquirerAccount): AcquirerConnector {
  throw new Error(`this gateway has no acquirer connector named ${connector}`);
}

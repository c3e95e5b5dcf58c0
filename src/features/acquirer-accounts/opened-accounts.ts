import type { AcquirerConnector } from "../../connectors/ports/acquirer-connector.ts";
import type { AcquirerLink } from "../../connectors/ports/acquirers.ts";
import type { CardAcquirer } from "../../connectors/ports/card-acquirer.ts";
import type { Id } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import { SECOND } from "../../kernel/time.ts";
import { readOnce } from "../../platform/cache-invalidation/read-once.ts";
import type { Context } from "../../platform/context.ts";
import { findMerchant, MERCHANTS, zoneOf } from "../merchants/index.ts";
import type { AcquirerAccount } from "./acquirer-account.ts";
import { settingsPurpose } from "./settings.ts";

/** An account's open connection, which an unchanged account keeps. */
type Opened = {
  readonly merchantId: Id<"merchant">;
  readonly sealedSettings: string;
  readonly mode: Mode;
  readonly connector: string;
  readonly host: CardAcquirer;
};

/** An account that cannot be opened: it takes no payments, and the merchant's others do. */
export class AccountUnusable extends Error {
  override readonly name = "AccountUnusable";
}

/** For calls that have the connection in hand but have not sent anything yet. Those in flight are waited for in any case. */
const GRACE = SECOND;
/** How long the connection of a disabled account stays open after an operation on one of its earlier payments. */
const KEPT_AFTER_USE = 5 * SECOND;

type Parts = Pick<Context, "db" | "sealedTexts" | "cacheInvalidation" | "connectors" | "log"> & {
  readonly accountsOf: (merchantId: Id<"merchant">) => Promise<readonly AcquirerAccount[]>;
};

/** The accounts that this process has opened. */
export type OpenedAccounts = {
  /** Throws `AccountUnusable` where the settings can't be read or are refused. */
  readonly hostOf: (account: AcquirerAccount) => Promise<CardAcquirer>;
  /** The account is disabled: the connection that `hostOf` opened closes after the operation. */
  readonly closeAfterUse: (id: Id<"acquirerAccount">) => void;
  readonly closeOthers: (active: ReadonlySet<string>) => void;
  readonly listLinks: () => Promise<readonly AcquirerLink[]>;
  readonly close: () => Promise<void>;
};

/**
 * An account is opened once per process; after a change of its settings the old connection closes when its calls have ended.
 * A standing connection closes when its account is disabled, and opens for the time of an operation on an earlier payment.
 */
export function createOpenedAccounts({
  db,
  sealedTexts,
  cacheInvalidation,
  connectors,
  log,
  accountsOf,
}: Parts): OpenedAccounts {
  const opened = new Map<Id<"acquirerAccount">, Promise<Opened>>();
  /** Connections that are about to be closed. */
  const retiring = new Map<Id<"acquirerAccount">, NodeJS.Timeout>();
  const merchantOf = readOnce(cacheInvalidation, MERCHANTS, async (id: Id<"merchant">) => {
    const merchant = await findMerchant(db, id);
    if (merchant === undefined) throw new Error("an acquirer account has no merchant");
    return { mode: merchant.mode, zone: zoneOf(merchant) };
  });

  async function open(account: AcquirerAccount): Promise<Opened> {
    const { id, merchantId, sealedSettings } = account;
    const connector = connectors.findAcquirerConnector(account.connector) ?? missing(account);
    const { mode } = await merchantOf(merchantId);
    const purpose = settingsPurpose(id);
    const [text] = await sealedTexts.openAll(db, [{ purpose, sealed: sealedSettings }]);
    if (text === undefined) throw new AccountUnusable(`what was sealed as ${purpose} can't be read`);
    const settings: unknown = JSON.parse(text);
    const zone = async () => (await merchantOf(merchantId)).zone;
    try {
      const host = connector.open({ id, merchantId, zone, settings });
      return { merchantId, mode, sealedSettings, connector: account.connector, host };
    } catch (error) {
      throw new AccountUnusable("the settings of an acquirer account are refused", { cause: error });
    }
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
    setTimeout(() => close(host), host.answersWithinMs).unref();
  }

  function close(host: CardAcquirer): void {
    host.close().catch((error: unknown) => log.warn({ error }, "acquirer connection not closed"));
  }

  /** Closes the standing connection of an account after a while, unless the account is active by then or used again. */
  function retire(id: Id<"acquirerAccount">, after: number): void {
    clearTimeout(retiring.get(id));
    const closing = () => {
      closeUnlessActive(id).catch((error: unknown) => {
        log.warn({ subjectId: id, error }, "acquirer accounts not read: a link is closed later");
        retire(id, GRACE);
      });
    };
    retiring.set(id, setTimeout(closing, after).unref());
  }

  async function closeUnlessActive(id: Id<"acquirerAccount">): Promise<void> {
    retiring.delete(id);
    const opening = opened.get(id);
    const one = await opening?.catch(() => undefined);
    if (one?.host.connect === undefined) return;
    const accounts = await accountsOf(one.merchantId);
    if (accounts.some((account) => account.id === id && account.status === "active")) return;
    // Used again meanwhile.
    if (retiring.has(id) || opened.get(id) !== opening) return;
    opened.delete(id);
    close(one.host);
  }

  return {
    hostOf,
    closeAfterUse: (id) => retire(id, KEPT_AFTER_USE),
    closeOthers: (active) => {
      for (const id of opened.keys()) if (!active.has(id) && !retiring.has(id)) retire(id, GRACE);
    },
    listLinks: async () => {
      const links = [...opened].map(async ([accountId, opening]) => {
        const one = await opening.catch(() => undefined);
        const isUp = one?.host.isConnected?.();
        if (one === undefined || isUp === undefined) return [];
        return [{ mode: one.mode, accountId, connector: one.connector, isUp }];
      });
      return (await Promise.all(links)).flat();
    },
    close: async () => {
      for (const timer of retiring.values()) clearTimeout(timer);
      const all = [...opened.values()];
      opened.clear();
      await Promise.all(all.map(async (one) => (await one.catch(() => undefined))?.host.close()));
    },
  };
}

function missing({ connector }: AcquirerAccount): AcquirerConnector {
  throw new AccountUnusable(`this gateway has no acquirer connector named ${connector}`);
}

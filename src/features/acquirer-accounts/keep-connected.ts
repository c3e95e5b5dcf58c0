import type { CardAcquirer } from "../../connectors/ports/card-acquirer.ts";
import { SECOND } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import type { AcquirerAccount } from "./acquirer-account.ts";
import { listActiveOf } from "./queries.ts";

const PAGE = 500;
const RETRY_AFTER = 2 * SECOND;
/** Each account that is opened costs two queries: so many at a time leave the pool to payments. */
const AT_ONCE = 4;

export type Connections = {
  /** Opens what is not open yet, and closes what is not active any more, soon. */
  readonly renew: () => void;
  readonly stop: () => Promise<void>;
};

type Keeping = {
  /** Reads the account's settings. Fast when it has been opened before. */
  readonly open: (account: AcquirerAccount) => Promise<CardAcquirer>;
  readonly closeOthers: (active: ReadonlySet<string>) => void;
};

/** Opens the standing connections of active accounts. One that is open already stays as it is. */
export function keepConnected(
  { db, connectors, log }: Pick<Context, "db" | "connectors" | "log">,
  { open, closeOthers }: Keeping,
): Connections {
  let running: Promise<void> | undefined;
  let isWanted = false;
  let isStopped = false;
  let retry: NodeJS.Timeout | undefined;

  const standing = () =>
    connectors.acquirerConnectorNames.filter((name) => connectors.findAcquirerConnector(name)?.isStanding);

  /** Neither an account that cannot be opened nor a host that is away delays another: a link tries again by itself. */
  async function connectOne(account: AcquirerAccount): Promise<void> {
    const report = (error: unknown) =>
      log.error({ merchantId: account.merchantId, subjectId: account.id, error }, "acquirer link not opened");
    try {
      const host = await open(account);
      if (!isStopped) host.connect?.().catch(report);
    } catch (error) {
      report(error);
    }
  }

  async function connectPage(page: readonly AcquirerAccount[]): Promise<void> {
    const waiting = page.values();
    const connectInTurn = async () => {
      for (const account of waiting) if (!isStopped) await connectOne(account);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, connectInTurn));
  }

  async function connectAll(): Promise<void> {
    const active = new Set<string>();
    for (const connector of standing()) {
      for (let after = ""; !isStopped; ) {
        const page = await listActiveOf(db, connector, after, PAGE);
        for (const { id } of page) active.add(id);
        await connectPage(page);
        if (page.length < PAGE) break;
        after = page.at(-1)?.id ?? "";
      }
    }
    if (!isStopped) closeOthers(active);
  }

  async function run(): Promise<void> {
    while (isWanted && !isStopped) {
      isWanted = false;
      try {
        await connectAll();
      } catch (error) {
        log.warn({ error }, "acquirer accounts not read: their links are opened later");
        retry = setTimeout(renew, RETRY_AFTER).unref();
      }
    }
    running = undefined;
  }

  function renew(): void {
    isWanted = true;
    clearTimeout(retry);
    if (!isStopped) running ??= run();
  }

  return {
    renew,
    stop: async () => {
      isStopped = true;
      clearTimeout(retry);
      await running;
    },
  };
}

import { SECOND } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import type { AcquirerAccount } from "./acquirer-account.ts";
import { listActiveOf } from "./queries.ts";

const PAGE = 500;
const RETRY_AFTER = 2 * SECOND;

export type Connections = {
  /** Opens what is not open yet, soon. */
  readonly renew: () => void;
  readonly stop: () => Promise<void>;
};

/** Opens the standing connections of active accounts. One that is open already stays as it is. */
export function keepConnected(
  { db, connectors, log }: Pick<Context, "db" | "connectors" | "log">,
  connect: (account: AcquirerAccount) => Promise<void>,
): Connections {
  let running: Promise<void> | undefined;
  let isWanted = false;
  let isStopped = false;
  let retry: NodeJS.Timeout | undefined;

  const standing = () =>
    connectors.acquirerConnectorNames.filter((name) => connectors.findAcquirerConnector(name)?.isStanding);

  /** A host that is away delays no other: its link tries again by itself. */
  function connectOne(account: AcquirerAccount): void {
    const about = { merchantId: account.merchantId, subjectId: account.id };
    connect(account).catch((error: unknown) => log.error({ ...about, error }, "acquirer link not opened"));
  }

  async function connectAll(): Promise<void> {
    for (const connector of standing()) {
      for (let after = ""; !isStopped; ) {
        const page = await listActiveOf(db, connector, after, PAGE);
        if (isStopped) return;
        for (const account of page) connectOne(account);
        if (page.length < PAGE) break;
        after = page.at(-1)?.id ?? "";
      }
    }
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

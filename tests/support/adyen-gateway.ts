import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAdyenConnector } from "../../src/connectors/adyen/adyen.ts";
import { createAcquirers } from "../../src/features/acquirer-accounts/index.ts";
import type { Mode } from "../../src/kernel/mode.ts";
import type { Context } from "../../src/platform/context.ts";
import { watchChanges } from "./changes-seen.ts";
import { type Shop, shopOf } from "./checkout.ts";
import { type FakeAdyen, openFakeAdyen } from "./fake-adyen.ts";
import { startTestGateway, type TestGateway } from "./gateway.ts";
import { tryCommand } from "./typed-command.ts";

export type AdyenGateway = {
  readonly gateway: TestGateway;
  readonly fake: FakeAdyen;
  /** For files of the operator. */
  readonly folder: string;
  readonly type: (...words: readonly string[]) => ReturnType<typeof tryCommand>;
  /** A merchant with Adyen accounts; the settings of each are the fake's with these changes. */
  readonly newShop: (
    ...accounts: readonly Readonly<Record<string, string>>[]
  ) => Promise<{ shop: Shop; accounts: readonly string[] }>;
  /** A live merchant with one account, that may take cards and ask for 3D Secure. */
  readonly newLiveShop: () => Promise<{ shop: Shop; account: string }>;
  /** Posts a notification to the gateway, as Adyen does. */
  readonly notify: (account: string, body: string) => Promise<Response>;
  /** Delivers what waits, and returns how many notifications that were. */
  readonly deliver: (
    account: string,
    order?: (bodies: readonly string[]) => readonly string[],
  ) => Promise<number>;
  readonly stop: () => Promise<void>;
};

/** A gateway whose Adyen connector reaches a fake. A test in which the fake hangs wants a short time for its answers. */
export async function startAdyenGateway(answersWithinMs = 15_000): Promise<AdyenGateway> {
  const wrapContext = (ctx: Context) => withAdyen(ctx, answersWithinMs);
  const fake = await openFakeAdyen();
  const watched = watchChanges();
  const gateway = await startTestGateway({ wrapContext: (ctx) => wrapContext(watched.watch(ctx)) });
  const folder = await mkdtemp(join(tmpdir(), "tidegate-adyen-"));
  const type = (...words: readonly string[]) => tryCommand({ ...gateway, wrapContext }, "acquirer", ...words);
  const origin = gateway.baseUrl.replace("localhost", "127.0.0.1");
  const notify = (account: string, body: string) =>
    fetch(`${origin}/connectors/adyen/${account}/notifications`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
  async function openShop(
    mode: Mode,
    changes: readonly Readonly<Record<string, string>>[],
  ): Promise<{ shop: Shop; accounts: readonly string[] }> {
    const { id, key } = await gateway.newMerchant({ mode });
    if (mode === "live")
      await gateway.database.rows(
        "update merchants set capabilities = (capabilities::jsonb || $2::jsonb)::json where id = $1",
        [id, JSON.stringify({ cardNotPresent: true, threeDSecure: true })],
      );
    const accounts: string[] = [];
    for (const change of changes) {
      const file = join(folder, `${accounts.length}-${id}.json`);
      await writeFile(file, JSON.stringify({ ...fake.settings, ...change }));
      const words = ["add", "--merchant", id, "--connector", "adyen", "--settings", file];
      const { code, output, stderr } = await type(...words);
      if (code !== 0) throw new Error(stderr);
      accounts.push(output.acquirerAccountId);
    }
    await watched.seen(gateway.database);
    return { shop: shopOf(gateway, key), accounts };
  }

  return {
    gateway,
    fake,
    folder,
    type,
    newShop: (...changes) => openShop("sandbox", changes.length === 0 ? [{}] : changes),
    newLiveShop: async () => {
      const { shop, accounts } = await openShop("live", [{}]);
      return { shop, account: accounts[0] ?? "" };
    },
    notify,
    deliver: async (account, order = (bodies) => bodies) => {
      const bodies = order(fake.takeNotifications());
      for (const body of bodies) {
        const answer = await notify(account, body);
        const text = await answer.text();
        if (answer.status !== 200 || text !== "[accepted]")
          throw new Error(`a notification was answered with ${answer.status} ${text}`);
      }
      return bodies.length;
    },
    stop: async () => {
      await gateway.stop();
      await fake.close();
      await rm(folder, { recursive: true });
    },
  };
}

function withAdyen(ctx: Context, answersWithinMs: number): Context {
  const { log, now, settings } = ctx;
  const adyen = createAdyenConnector({ log, now, baseUrl: settings.baseUrl, answersWithinMs });
  const names = ctx.connectors.acquirerConnectorNames;
  const connectors: Context["connectors"] = {
    ...ctx.connectors,
    findAcquirerConnector: (name) => (name === "adyen" ? adyen : ctx.connectors.findAcquirerConnector(name)),
    acquirerConnectorNames: names.includes("adyen") ? names : [...names, "adyen"],
  };
  return { ...ctx, connectors, acquirers: createAcquirers({ ...ctx, connectors }) };
}

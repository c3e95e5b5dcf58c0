import { setTimeout as pause } from "node:timers/promises";
import { callApi, ok, type Shop } from "./checkout.ts";
import type { TestDatabase } from "./database.ts";
import type { RunningNode } from "./fault-run.ts";
import type { Answered } from "./mixed-load/answered.ts";
import { isInterruption, type LoadMerchant } from "./mixed-load/lane.ts";
import { openMerchants, startLoad } from "./mixed-load.ts";
import { withStatus } from "./receiver.ts";

/** New merchants come so often: some statements run once for each, such as those that make its vault keys. */
const NEWCOMER_EVERY_MS = 2_000;
/** A key seals what the payers' frames hold for a day, and there is one for all merchants: the day passes for each newcomer. */
const AGE_SEALING_KEYS =
  "update sealing_keys set created_at = created_at - interval '1 day' where created_at between now() - interval '1 day' and now()";

/**
 * Opens merchants one after the other, whose payments store their first card and account, and who leave with deliveries that
 * wait, until it is stopped.
 */
export function startNewcomers(database: TestDatabase, nodes: readonly RunningNode[], random: () => number) {
  let running = true;
  const cameBefore: Answered[] = [];
  const comeOneAfterAnother = async () => {
    while (running) {
      const node = nodes[0];
      await database.rows(AGE_SEALING_KEYS);
      const [merchant] = node ? await openMerchants(database, node.shop, 1).catch(unlessKilled) : [];
      if (merchant === undefined) {
        await pause(50);
        continue;
      }
      merchant.receiver.answer(withStatus(500));
      const load = startLoad({
        nodes: () => nodes.map(({ shop }) => shop),
        merchants: [merchant],
        random,
        lanes: 2,
      });
      await pause(NEWCOMER_EVERY_MS);
      await load.stop();
      cameBefore.push(load.answered);
      const shop = nodes[0]?.shop;
      if (shop !== undefined) await deleteEndpoints({ ...shop, key: merchant.key });
      await merchant.receiver.close();
    }
  };
  const over = comeOneAfterAnother();
  over.catch(() => {});
  return {
    stop: async (): Promise<readonly Answered[]> => {
      running = false;
      await over;
      return cameBefore;
    },
  };
}

/** The gateway closes the deliveries that wait, unless a kill is first. */
async function deleteEndpoints(shop: Shop): Promise<void> {
  try {
    const { webhooks } = ok(await callApi(shop, "GET", "/webhooks"));
    for (const { id } of webhooks) ok(await callApi(shop, "DELETE", `/webhooks/${id}`));
  } catch (error) {
    if (!isInterruption(error)) throw error;
  }
}

/** A merchant that lost the answer to its first call gives up; every other failure is one of the gateway. */
function unlessKilled(error: unknown): readonly LoadMerchant[] {
  if (error instanceof TypeError && error.message === "fetch failed") return [];
  throw error;
}

import type { TestDatabase } from "./database.ts";
import type { RunningNode } from "./fault-run.ts";
import type { Answered } from "./mixed-load/answered.ts";
import type { LoadMerchant } from "./mixed-load/lane.ts";
import { openMerchants, startLoad } from "./mixed-load.ts";

/** New merchants come so often: some statements run once for each, such as those that make its vault keys. */
const NEWCOMER_EVERY_MS = 2_000;
/** A key seals what the payers' frames hold for a day, and there is one for all merchants: the day passes for each newcomer. */
const AGE_SEALING_KEYS =
  "update sealing_keys set created_at = created_at - interval '1 day' where created_at between now() - interval '1 day' and now()";

/** Opens merchants one after the other, whose payments store their first card and account, until it is stopped. */
export function startNewcomers(database: TestDatabase, nodes: readonly RunningNode[], random: () => number) {
  let running = true;
  const cameBefore: Answered[] = [];
  const comeOneAfterAnother = async () => {
    while (running) {
      const node = nodes[0];
      await database.rows(AGE_SEALING_KEYS);
      const [merchant] = await openMerchants(database, node?.shop ?? NO_NODE, 1).catch(unlessKilled);
      const load =
        merchant &&
        startLoad({ nodes: () => nodes.map(({ shop }) => shop), merchants: [merchant], random, lanes: 2 });
      await new Promise((resolve) => setTimeout(resolve, load ? NEWCOMER_EVERY_MS : 50));
      await load?.stop();
      if (load) cameBefore.push(load.answered);
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

const NO_NODE = { baseUrl: "http://localhost:1", hostedUrl: "http://localhost:1" };

/** A merchant that lost the answer to its first call gives up; every other failure is one of the gateway. */
function unlessKilled(error: unknown): readonly LoadMerchant[] {
  if (error instanceof TypeError && error.message === "fetch failed") return [];
  throw error;
}

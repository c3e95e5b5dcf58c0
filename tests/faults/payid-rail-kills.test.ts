import assert from "node:assert/strict";
import { test } from "node:test";
import { createMerchant } from "../../src/features/merchants/index.ts";
import { newId } from "../../src/kernel/ids.ts";
import { cents } from "../../src/kernel/money.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { inContext } from "../support/operator.ts";
import { startOwnPostgres } from "../support/own-postgres.ts";

const KILLS = 3;

test("the sandbox's PayID rail has on its disk what it has answered, so a job may end after the database came back", async () => {
  const server = await startOwnPostgres();
  try {
    await migrate(server.database.url);
    const mode = "sandbox";
    const { merchant } = await inContext(server.database, (ctx) =>
      ctx.db.transaction((tx) => createMerchant(ctx, tx, { name: "A shop", mode, country: "AU" })),
    );
    for (let kill = 0; kill < KILLS; kill += 1) {
      const reference = await inContext(server.database, async ({ connectors, now }) => {
        const rail = connectors.findPayIdRail(merchant) ?? assert.fail("there is no rail");
        const id = newId("paymentRequest", now());
        const account = { account: merchant.id, accountName: merchant.name };
        await rail.register({ reference: id, payId: `shop-${kill}`, amount: cents(3000), ...account });
        await rail.release(id);
        await server.kill();
        return id;
      });
      await server.untilBack();
      const entries = await server.database.rows(
        "select kind from sandbox_ledger where reference = $1 order by kind",
        [reference],
      );
      assert.deepEqual(entries, [{ kind: "registration" }, { kind: "release" }]);
    }
  } finally {
    await server.stop();
  }
});

import { record } from "../../audit/queries.ts";
import { destroyCountingKey, lockRotation } from "./queries.ts";
import type { RotationContext } from "./rotation-context.ts";

/**
 * Makes a new key for counting and destroys the old one at once: nothing has to move, because counts fade within two hours
 * and begin anew. A node that has the old key in memory counts with it for up to five minutes.
 */
export async function renewCountingKey({ db, vaultKeys, now }: RotationContext): Promise<void> {
  await db.transaction(async (tx) => {
    await lockRotation(tx);
    const id = await destroyCountingKey(tx, now());
    if (id === undefined) return;
    await record(tx, { act: "key_destroyed", subjectId: id }, now());
    await vaultKeys.make(tx, null, "counting");
  });
}

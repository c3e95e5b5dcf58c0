import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY } from "../../kernel/time.ts";
import { DISABLED_AFTER, KEY_OVERLAP } from "./webhook.ts";

test("an endpoint may fail for five days; a previous signing key signs for one more", () => {
  assert.deepEqual([DISABLED_AFTER, KEY_OVERLAP], [5 * DAY, DAY]);
});

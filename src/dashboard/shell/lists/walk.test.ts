import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { idFloor, newId } from "../../../kernel/ids.ts";
import { instant } from "../../../kernel/time.ts";
import { cutWalk, ROWS_SHOWN, walkOf } from "./walk.ts";

const NOW = instant(Date.parse("2026-11-15T00:00:00Z"));
const [A, B] = [newId("transaction", NOW), newId("transaction", instant(NOW + 1_000))];
const rows = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `txn_${at}` }));

describe("pages of the dashboard's lists go both ways", () => {
  test("older rows are below an id, newer ones above it, and neither includes the id", () => {
    const older = walkOf("transaction", { before: B });
    assert.deepEqual([older.high, older.isBackwards], [B, false]);
    const newer = walkOf("transaction", { after: A });
    assert.ok(newer.low > A && newer.low < B && newer.isBackwards);
  });

  test("with the oldest first the next page is above the id, and the previous one below it", () => {
    const next = walkOf("transaction", { before: A }, true);
    assert.ok(next.low > A && next.order === "asc" && !next.isBackwards);
    const previous = walkOf("transaction", { after: B }, true);
    assert.deepEqual([previous.high, previous.order, previous.isBackwards], [B, "desc", true]);
  });

  test("ignores an id of another noun, and days bound the walk", () => {
    const walk = walkOf("transaction", { before: "pr_x", from: NOW, to: instant(NOW + 5) });
    assert.deepEqual(walk, {
      low: idFloor("transaction", NOW),
      high: idFloor("transaction", instant(NOW + 5)),
      order: "desc",
      isBackwards: false,
    });
  });

  test("a full page has a next one only when there is one row more", () => {
    const walk = walkOf("transaction", {});
    assert.equal(cutWalk(walk, {}, rows(ROWS_SHOWN), undefined).older, undefined);
    const more = cutWalk(walk, {}, rows(ROWS_SHOWN + 1), undefined);
    assert.deepEqual([more.rows.length, more.older, more.newer], [ROWS_SHOWN, "txn_24", undefined]);
  });

  test("backwards the rows are reversed, and older rows always follow", () => {
    const input = { after: A };
    const page = cutWalk(walkOf("transaction", input), input, rows(3), undefined);
    assert.deepEqual(
      page.rows.map(({ id }) => id),
      ["txn_2", "txn_1", "txn_0"],
    );
    assert.deepEqual([page.newer, page.older], [undefined, "txn_0"]);
  });

  test("a search that was cut without a match continues where it was cut", () => {
    const page = cutWalk(walkOf("transaction", {}), {}, rows(0), "txn_cut");
    assert.deepEqual([page.rows.length, page.older, page.lookedBackTo], [0, "txn_cut", "txn_cut"]);
  });
});

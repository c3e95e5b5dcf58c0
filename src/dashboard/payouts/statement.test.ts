import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ExportedLine } from "../../features/payouts/index.ts";
import { instant } from "../../kernel/time.ts";
import { statementOf, walkStatement } from "./statement.ts";

const line = (kind: string, subjectId: string, amount: number): ExportedLine =>
  ({
    kind,
    subjectId,
    transactionId: "txn_1",
    amount,
    at: instant(1_000),
    reference: "own",
    orderReference: "order-1",
  }) as ExportedLine;

const LINES = [
  line("fee", "txn_1", -60),
  line("payment", "txn_1", 3000),
  line("payment", "txn_2", 500),
  line("refund", "rfd_1", -1000),
  line("fee", "txn_3", -5),
  line("dispute", "dsp_1", -500),
  line("dispute_won", "dsp_1", 500),
];

describe("a payout reads like a statement", () => {
  test("a fee stands beside its payment, and the running total ends at the payout's amount", () => {
    assert.deepEqual(
      statementOf(LINES).map(({ kind, reference, gross, fee, net, runningTotal }) => [
        kind,
        reference,
        gross,
        fee,
        net,
        runningTotal,
      ]),
      [
        ["payment", "order-1", 3000, -60, 2940, 2940],
        ["payment", "order-1", 500, 0, 500, 3440],
        ["refund", "order-1", -1000, 0, -1000, 2440],
        ["fee", "order-1", 0, -5, -5, 2435],
        ["dispute", "order-1", -500, 0, -500, 1935],
        ["dispute_won", "order-1", 500, 0, 500, 2435],
      ],
    );
  });

  test("is the same, however its lines are cut into portions", async () => {
    const whole = statementOf(LINES);
    for (let size = 1; size <= LINES.length; size += 1) {
      const portions = (async function* () {
        for (let at = 0; at < LINES.length; at += size) yield LINES.slice(at, at + size);
      })();
      const rows = [];
      for await (const part of walkStatement(portions)) rows.push(...part);
      assert.deepEqual(rows, whole, `portions of ${size}`);
    }
  });

  test("a line without a reference is named by its transaction", () => {
    const [row] = statementOf([{ ...line("payment", "txn_1", 1), orderReference: "" }]);
    assert.equal(row?.reference, "txn_1");
  });
});

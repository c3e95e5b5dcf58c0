import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { deleteTokenUses } from "../../src/features/checkout/queries.ts";
import { instant } from "../../src/kernel/time.ts";
import { openDatabase } from "../../src/platform/db/database.ts";
import { type Frame, ok, shopOf } from "../support/checkout.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import {
  createSandboxToken,
  openWalletFrame,
  registerLocalhost,
  sendToken,
  type Wallet,
} from "../support/wallets.ts";

const WALLETS: readonly Wallet[] = ["apple_pay", "google_pay"];

describe("contract 8, 10: wallets of a gateway with several nodes", () => {
  let one: TestGateway;
  let other: TestGateway;
  before(async () => {
    one = await startTestGateway();
    other = await startTestGateway({ database: one.database });
    await registerLocalhost(shopOf(one));
  });
  after(async () => {
    try {
      await other.stop();
    } finally {
      await one.stop();
    }
  });

  test("nodes that create the sandbox's keys concurrently keep one pair, and each opens the other's tokens", async () => {
    const frames = await Promise.all(
      WALLETS.flatMap(() => [openWalletFrame(shopOf(one)), openWalletFrame(shopOf(one))]),
    );
    const made = await Promise.all(
      frames.map(async (frame, index) => {
        const wallet = WALLETS[index % 2] ?? "google_pay";
        const [maker, taker] = index < 2 ? [one, other] : [other, one];
        const token = await createSandboxToken(frame.at(shopOf(maker)), wallet);
        return sendToken(frame.at(shopOf(taker)), wallet, token);
      }),
    );
    assert.deepEqual(
      made.map((answer) => ok(answer).state),
      Array(4).fill("approved"),
    );
    assert.equal((await one.database.rows("select from sandbox_wallet_keys")).length, 1);
    const [row] = await one.database.rows<{ sealed: string }>("select sealed from sandbox_wallet_keys");
    assert.doesNotMatch(
      Buffer.from(row?.sealed ?? "", "base64url").toString("latin1"),
      /recipient|PRIVATE|signer/,
    );
  });

  test("one token sent to both nodes concurrently, for two requests, makes one payment", async () => {
    const frames = await Promise.all([openWalletFrame(shopOf(one)), openWalletFrame(shopOf(one))]);
    const [first, second] = frames as [Frame, Frame];
    const token = await createSandboxToken(first, "google_pay");
    const answers = await Promise.all([
      sendToken(first, "google_pay", token),
      sendToken(second.at(shopOf(other)), "google_pay", token),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409],
    );
  });

  test("token uses are deleted after their retention time, and not before", async () => {
    const db = openDatabase({
      url: one.database.url,
      poolSize: 1,
      preparedStatements: true,
      onIdleError: () => {},
    });
    const left = async () => (await one.database.rows("select from wallet_token_uses")).length;
    try {
      const before = await left();
      const [oldest] = await one.database.rows<{ at: string }>(
        "select (extract(epoch from min(forget_at)) * 1000)::bigint::text as at from wallet_token_uses",
      );
      const end = Number(oldest?.at);
      assert.equal(await deleteTokenUses(db, instant(end), 10), 0);
      assert.equal(await deleteTokenUses(db, instant(end + 1), 1), 1);
      assert.equal(await left(), before - 1);
    } finally {
      await db.close();
    }
  });
});

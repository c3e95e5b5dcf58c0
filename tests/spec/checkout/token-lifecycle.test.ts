import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { initialiseToken, processToken, reopenToken } from "../../../src/features/tokens/queries.ts";
import {
  lifecycle,
  type OneTimeToken,
  TOKEN_STATUSES,
  type TokenTrigger,
} from "../../../src/features/tokens/token.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { nextState } from "../../../src/kernel/lifecycle.ts";
import { instant } from "../../../src/kernel/time.ts";
import { hashSecret } from "../../../src/platform/crypto/secrets.ts";
import type { Tx } from "../../../src/platform/db/database.ts";
import { createRequest, createToken, MERCHANT_PAGE, shopOf } from "../../support/checkout.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { inContext } from "../../support/operator.ts";

/** A token in the database, and the hash of its session. */
type Stored = Pick<OneTimeToken, "merchantId" | "paymentRequestId"> & {
  readonly hash: Uint8Array;
  readonly session: Uint8Array;
};

const attempt = newId("transaction", instant(0));
const STATEMENTS: Readonly<Record<TokenTrigger, (tx: Tx, token: Stored) => Promise<unknown>>> = {
  initialise: (tx, { merchantId, hash }) =>
    initialiseToken(tx, { merchantId, hash }, randomBytes(32), MERCHANT_PAGE),
  process: (tx, { merchantId, session: hash }) => processToken(tx, { merchantId, hash }, attempt),
  reopen: (tx, { merchantId, paymentRequestId }) =>
    reopenToken(tx, { id: attempt, merchantId }, paymentRequestId),
};

describe("spec 3: a one-time token changes as its lifecycle table says", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway();
  });
  after(() => gateway.stop());

  async function tokenThatIs(status: string): Promise<Stored> {
    const shop = shopOf(gateway);
    const { id } = await createRequest(shop);
    const hash = hashSecret(await createToken(shop, id));
    const session = randomBytes(32);
    const [row] = await gateway.database.rows<Pick<Stored, "merchantId" | "paymentRequestId">>(
      `update one_time_tokens set status = $2, session_hash = case when $2 <> 'created' then $3::bytea end,
         transaction_id = case when $2 = 'processed' then $4 end, parent_origin = $5
       where hash = $1 returning merchant_id as "merchantId", payment_request_id as "paymentRequestId"`,
      [hash, status, session, attempt, MERCHANT_PAGE],
    );
    assert.ok(row);
    return { ...row, hash, session };
  }

  for (const from of TOKEN_STATUSES) {
    for (const trigger of ["initialise", "process", "reopen"] as const) {
      const to = nextState(lifecycle, from, trigger);
      test(`${trigger} of a token that is ${from}: ${to ?? "no change"}`, async () => {
        const token = await tokenThatIs(from);
        await inContext(gateway.database, ({ db }) => STATEMENTS[trigger](db, token));
        const rows = await gateway.database.rows("select status from one_time_tokens where hash = $1", [
          token.hash,
        ]);
        assert.deepEqual(rows, [{ status: to ?? from }]);
      });
    }
  }
});

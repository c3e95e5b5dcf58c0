import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createIso8583 } from "../../src/connectors/iso8583/iso8583.ts";
import type { OpenAccount } from "../../src/connectors/ports/acquirer-connector.ts";
import { type Id, newId } from "../../src/kernel/ids.ts";
import { instant } from "../../src/kernel/time.ts";
import { openDatabase } from "../../src/platform/db/database.ts";
import { createLog } from "../../src/platform/log/log.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { type HostOptions, type IsoHost, startIsoHost } from "../support/iso-host/iso-host.ts";
import { settingsFor } from "../support/iso-host/test-link.ts";
import { makeMerchant } from "../support/operator.ts";
import { testCardAcquirer } from "./card-acquirer-contract.ts";

const now = () => instant(Date.now());

/** An account at a host simulator, in a database of its own. */
async function openAccount(options: Partial<HostOptions> = {}) {
  const database = await cloneDatabase();
  const host = await startIsoHost(options);
  const merchant = await makeMerchant(database, "sandbox", "AU");
  const account: OpenAccount = {
    id: newId("acquirerAccount", now()),
    merchantId: merchant.id as Id<"merchant">,
    merchantName: "Test shop",
    zone: "Australia/Sydney",
    settings: settingsFor(host.port, { dialect: options.dialect ?? "iso87-ascii" }),
  };
  const open = () => {
    const db = openDatabase({
      url: database.url,
      poolSize: 4,
      preparedStatements: true,
      onIdleError: () => {},
    });
    const acquirer = createIso8583({ db, log: createLog("silent"), now }).open(account);
    const close = async () => {
      await acquirer.close();
      await db.close();
    };
    return { acquirer, close };
  };
  const close = async () => {
    await host.stop();
    await database.drop();
  };
  return { database, host, account, open, close };
}

/** What the host has on record for our references, found through our journal. */
async function ledgerOf(database: TestDatabase, host: IsoHost, reference: string) {
  const rows = await database.rows<{
    reference: string;
    original: string | null;
    stan: string;
    transmitted: string;
  }>("select reference, original, stan, transmitted from iso8583_messages where kind = 'request'");
  const entries = await host.entries();
  const booked = (row: (typeof rows)[number]) =>
    entries.find(({ stan, transmitted }) => stan === row.stan && transmitted === row.transmitted);
  const own = rows.filter((row) => row.reference === reference).map(booked)[0];
  const refunds = rows.filter((row) => row.original === reference).map(booked);
  const held = own === undefined || own.isReversed ? 0 : own.approved;
  const captured = own === undefined || own.isReversed ? 0 : own.captured;
  const refunded = refunds.reduce(
    (total, entry) => total + (entry?.isReversed ? 0 : (entry?.approved ?? 0)),
    0,
  );
  return { held, captured, refunded };
}

for (const dialect of ["iso87-ascii", "iso87-binary"]) {
  testCardAcquirer(`ISO 8583 in ${dialect}`, async () => {
    const { database, host, open, close } = await openAccount({ dialect });
    const { acquirer, close: closeAcquirer } = open();
    return {
      acquirer,
      amounts: { approved: 3000, declined: 14_451, partial: { amount: 14_410 - 45, approved: 7_205 } },
      ledgerOf: (reference) => ledgerOf(database, host, reference),
      close: async () => {
        await closeAcquirer();
        await close();
      },
    };
  });
}

describe("the connector iso8583", () => {
  test("is opened with settings that were checked", () => {
    assert.ok(true);
  });
});

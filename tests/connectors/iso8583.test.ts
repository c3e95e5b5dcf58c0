import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { decodeMessage, encodeMessage } from "../../src/connectors/iso8583/codec.ts";
import type { IsoMessage } from "../../src/connectors/iso8583/dialect.ts";
import { createFrameReader, frame } from "../../src/connectors/iso8583/framing.ts";
import { DIALECTS } from "../../src/connectors/iso8583/iso87.ts";
import { createIso8583 } from "../../src/connectors/iso8583/iso8583.ts";
import type { Iso8583Settings } from "../../src/connectors/iso8583/settings.ts";
import type { OpenAccount } from "../../src/connectors/ports/acquirer-connector.ts";
import type {
  AcquirerAnswer,
  AuthorisationRequest,
  OriginalPayment,
} from "../../src/connectors/ports/card-acquirer.ts";
import type { TimeZone } from "../../src/kernel/country.ts";
import { type Id, newId } from "../../src/kernel/ids.ts";
import { cents } from "../../src/kernel/money.ts";
import { instant } from "../../src/kernel/time.ts";
import { type Database, openDatabase, type Tx } from "../../src/platform/db/database.ts";
import { createLog, type Log } from "../../src/platform/log/log.ts";
import { makeCertificate } from "../support/certificate.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { FAULTS } from "../support/iso-host/faults.ts";
import { type HostOptions, type IsoHost, startIsoHost } from "../support/iso-host/iso-host.ts";
import { settingsFor } from "../support/iso-host/test-link.ts";
import { makeMerchant } from "../support/operator.ts";
import { waiting } from "../support/outage.ts";
import { gate } from "../support/watched-context.ts";
import { testCardAcquirer } from "./card-acquirer-contract.ts";

const now = () => instant(Date.now());
const planned: string[] = [];
const planReversal = async (_tx: Tx, _merchantId: Id<"merchant">, { reference }: { reference: string }) => {
  planned.push(reference);
};

/** Calls the listener before each statement. */
function watchStatements(db: Database, at: (statement: string) => Promise<void>): Database {
  const watch = (tx: Tx): Tx => ({
    rows: async (statement, parameters) => {
      await at(statement.name);
      return tx.rows(statement, parameters);
    },
    gather: async (statement, row, scope) => {
      await at(statement.name);
      return tx.gather(statement, row, scope);
    },
  });
  return { ...db, ...watch(db), transaction: (work) => db.transaction((tx) => work(watch(tx))) };
}

/** The merchant's zone. */
let zone: TimeZone = "Australia/Sydney";

/** An account at a host simulator, in a database of its own. */
async function openAccount(options: Partial<HostOptions> = {}) {
  const database = await cloneDatabase();
  const host = await startIsoHost(options);
  const merchant = await makeMerchant(database, "sandbox", "AU");
  const settings = settingsFor(host.port, {
    dialect: options.dialect ?? "iso87-ascii",
    // Longer than a busy machine takes; some tests wait for the end of it.
    responseSeconds: 3,
  });
  const account: OpenAccount = {
    id: newId("acquirerAccount", now()),
    merchantId: merchant.id as Id<"merchant">,
    zone: async () => zone,
    settings,
  };
  const open = (
    changes: Partial<Iso8583Settings> = {},
    { log = createLog("silent"), at }: { log?: Log; at?: (statement: string) => Promise<void> } = {},
  ) => {
    const db = openDatabase({
      url: database.url,
      poolSize: 4,
      preparedStatements: true,
      onIdleError: () => {},
    });
    const watched = at === undefined ? db : watchStatements(db, at);
    const acquirer = createIso8583({ db: watched, log, now, planReversal }).open({
      ...account,
      settings: { ...settings, ...changes },
    });
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
    const { acquirer, close: closeAcquirer } = open({ responseSeconds: 30 });
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

const CARD = { number: "4111111111111111", expiryMonth: 12, expiryYear: 2030, securityCode: "987" };
let references = 0;
const newReference = (prefix: string) => {
  references += 1;
  return `${prefix}_${references}`;
};
const requestOf = (changes: Partial<AuthorisationRequest> = {}): AuthorisationRequest => ({
  reference: newReference("txn"),
  paymentRequestId: null,
  amount: cents(3_000),
  surcharge: cents(0),
  currency: "AUD",
  isCapturedAtOnce: true,
  origin: "internet",
  initiator: "payer",
  card: CARD,
  ...changes,
});
const paymentOf = ({ reference, amount, currency, origin }: AuthorisationRequest): OriginalPayment => {
  return { reference, amount, currency, isCaptured: true, origin, facts: {}, card: CARD };
};
const { signal } = new AbortController();

/** A host that answers only when a test wants it to, with a type that the test chooses. */
async function startStrangeHost() {
  const dialect = DIALECTS.get("iso87-ascii") ?? assert.fail();
  const seen: IsoMessage[] = [];
  let socket: Socket | undefined;
  const server = createServer((opened) => {
    socket = opened.on("error", () => {});
    const read = createFrameReader("binary2");
    opened.on("data", (chunk) => seen.push(...read(chunk).map((bytes) => decodeMessage(dialect, bytes))));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    types: () => seen.map(({ type }) => type),
    answerLast: (type: string, added: IsoMessage["fields"] = { 39: "00" }) => {
      const fields = { ...seen.at(-1)?.fields, ...added };
      socket?.write(frame("binary2", encodeMessage(dialect, { type, fields })));
    },
    stop: () => {
      socket?.destroy();
      server.close();
    },
  };
}

describe("the connector iso8583", () => {
  let subject: Awaited<ReturnType<typeof openAccount>>;
  before(async () => {
    subject = await openAccount();
  });
  after(() => subject.close());
  const seenOf = async (reference: string) => {
    const rows = await subject.database.rows<{ stan: string }>(
      `select stan from iso8583_messages where reference = '${reference}' or original = '${reference}'`,
    );
    const stans = rows.map(({ stan }) => stan);
    return (await subject.host.seen()).filter(({ fields }) => stans.includes(fields[11] ?? ""));
  };

  test("sends authentication data, network transaction id and who initiated the payment in field 48", async () => {
    const { acquirer, close } = subject.open();
    const authenticated = requestOf({
      authentication: { status: "Y", eci: "05", cavv: "AAABBB", dsTransactionId: "ds-1" },
    });
    const { securityCode: _, ...stored } = CARD;
    const charged = requestOf({
      card: stored,
      initiator: "merchant",
      storedCredential: {
        use: "subsequent",
        purpose: "recurring",
        customerId: "cus_1",
        networkTransactionId: "N1",
      },
    });
    await acquirer.authorise(authenticated, signal);
    await acquirer.authorise(charged, signal);
    const fieldOf = async ({ reference }: AuthorisationRequest) => (await seenOf(reference))[0]?.fields[48];
    assert.equal(await fieldOf(authenticated), "CV003987EC00205CA006AAABBBDS004ds-1SC001C");
    assert.equal(await fieldOf(charged), "NT002N1SC001M");
    await close();
  });

  test("repeats a reversal after a restart and in another zone as 0421, with the same fields", async (t) => {
    t.after(() => {
      zone = "Australia/Sydney";
    });
    const request = requestOf();
    const { acquirer, close } = subject.open();
    await subject.host.setFaults({ types: ["0200", "0420"], next: ["silence", "silence"] });
    assert.deepEqual(await acquirer.authorise(request, signal), { kind: "unknown" });
    const reversal = { reference: request.reference, payment: paymentOf(request) };
    assert.deepEqual(await acquirer.reverse(reversal, signal), { kind: "unknown" });
    await close();
    zone = "Pacific/Auckland";
    const restarted = subject.open();
    assert.equal((await restarted.acquirer.reverse(reversal, signal)).kind, "approved");
    assert.equal((await restarted.acquirer.reverse(reversal, signal)).kind, "approved");
    await restarted.close();
    const [, first, repeat, ...others] = await seenOf(request.reference);
    assert.deepEqual([first?.type, repeat?.type, others.length], ["0420", "0421", 0]);
    assert.deepEqual(repeat?.fields, first?.fields);
  });

  test("a repeated capture, void or reversal that the host calls a duplicate is done", async (t) => {
    const strict = await openAccount({ repeated: "94" });
    t.after(strict.close);
    const { acquirer, close } = strict.open({ responseSeconds: 1 });
    t.after(close);
    const authorised = async () => {
      const request = requestOf({ isCapturedAtOnce: false });
      assert.equal((await acquirer.authorise(request, signal)).kind, "approved");
      return { request, payment: { ...paymentOf(request), isCaptured: false } };
    };
    /** The answer to the first copy is lost. */
    const twice = async (type: string, send: () => Promise<AcquirerAnswer>) => {
      await strict.host.setFaults({ types: [type], next: ["silence"] });
      assert.deepEqual(await send(), { kind: "unknown" });
      const answers = [await send(), await send()];
      assert.deepEqual(
        answers.map(({ kind }) => kind),
        ["approved", "approved"],
      );
    };
    const [captured, voided, reversed] = [await authorised(), await authorised(), await authorised()];
    const capture = { reference: "opr_1", payment: captured.payment, amount: cents(3_000), isFinal: true };
    await twice("0220", () => acquirer.capture(capture, signal));
    const release = { reference: "opr_2", payment: voided.payment, amount: cents(3_000) };
    await twice("0420", () => acquirer.void(release, signal));
    const reversal = { reference: reversed.request.reference, payment: reversed.payment };
    await twice("0420", () => acquirer.reverse(reversal, signal));
    const refused = await acquirer.reverse({ ...capture, reference: captured.request.reference }, signal);
    assert.equal(refused.kind, "declined", "what is captured can't be reversed");
    const positions = new Map(
      (await acquirer.listPositions?.("", 100))?.map(({ reference, ...position }) => [reference, position]),
    );
    const [none, all] = [cents(0), cents(3_000)];
    assert.deepEqual(positions.get(captured.request.reference), {
      approved: all,
      captured: all,
      isOpen: false,
    });
    for (const { request } of [voided, reversed])
      assert.deepEqual(positions.get(request.reference), { approved: none, captured: none, isOpen: false });
  });

  test("no trace number is taken for a repeat, over a link that is down, or to cancel what was never sent", async () => {
    const request = requestOf();
    const { acquirer, close } = subject.open({ responseSeconds: 1 });
    await subject.host.setFaults({ types: ["0200", "0420", "0421"], next: Array(4).fill("silence") });
    await acquirer.authorise(request, signal);
    const reversal = { reference: request.reference, payment: paymentOf(request) };
    const down = subject.open({ port: await freePort() });
    const taken = () => subject.database.rows("select last_number from iso8583_terminals");
    const before = await taken();
    assert.equal((await down.acquirer.reverse(reversal, signal)).kind, "not_received");
    assert.deepEqual(await taken(), before);
    await down.close();
    for (let sent = 0; sent < 3; sent += 1)
      assert.deepEqual(await acquirer.reverse(reversal, signal), { kind: "unknown" });
    const neverSent = { ...reversal, reference: newReference("txn") };
    assert.equal((await acquirer.reverse(neverSent, signal)).kind, "approved");
    assert.equal((await acquirer.reverse(neverSent, signal)).kind, "approved");
    assert.equal((await acquirer.reverse(reversal, signal)).kind, "approved");
    const next = requestOf();
    await acquirer.authorise(next, signal);
    const numberOf = async (type: string, { reference }: AuthorisationRequest) =>
      Number((await seenOf(reference)).find((one) => one.type === type)?.fields[11]);
    assert.equal(await numberOf("0200", next), (await numberOf("0420", request)) + 1);
    await close();
  });

  /**
   * A refund that the host approves. The process that sent it stalls before it records the answer, and another one stalls
   * at a statement of the reversal.
   */
  async function stalledRefund(stallsAt: string) {
    const [answered, reversing] = [gate(), gate()];
    let isReversing = false;
    const patient = { responseSeconds: 30 };
    const sender = subject.open(patient, { at: (name) => stall(name === "iso8583_record_answer", answered) });
    const other = subject.open(patient, {
      at: (name) => {
        isReversing ||= name === stallsAt;
        return stall(name === stallsAt, reversing);
      },
    });
    const request = requestOf();
    const payer = subject.open();
    await payer.acquirer.authorise(request, signal);
    await payer.close();
    const refund = { reference: newReference("rfd"), payment: paymentOf(request), amount: cents(100) };
    const sending = sender.acquirer.refund(refund, signal);
    await eventually("the host has it", async () => (await seenOf(refund.reference)).length === 1);
    await passTimeOf(refund.reference, sender.acquirer.answersWithinMs);
    assert.deepEqual(await other.acquirer.refund(refund, signal), { kind: "unknown" });
    const reversal = other.acquirer.reverse(refund, signal);
    await eventually("it is about to be reversed", async () => isReversing);
    const close = async () => {
      await sender.close();
      await other.close();
    };
    return { request, refund, sending, reversal, answered, reversing, other: other.acquirer, close };
  }

  const stall = async (stalls: boolean, { opened }: { readonly opened: Promise<void> }) => {
    if (stalls) await opened;
  };

  /** As if the time for the answer was over. */
  const passTimeOf = (reference: string, answersWithinMs: number) =>
    subject.database.rows(
      "update iso8583_messages set created_at = now() - $2 * interval '1 ms' where reference = $1",
      [reference, answersWithinMs],
    );

  test("does not reverse a refund whose approval is recorded first", async () => {
    const stalled = await stalledRefund("iso8583_take_numbers");
    const { request, refund, sending, reversal, answered, reversing, other } = stalled;
    answered.open();
    assert.equal((await sending).kind, "approved");
    reversing.open();
    assert.deepEqual(await reversal, { kind: "unknown" });
    assert.equal((await other.refund(refund, signal)).kind, "approved");
    assert.equal((await ledgerOf(subject.database, subject.host, request.reference)).refunded, 100);
    await stalled.close();
  });

  test("does not approve a refund any more once its reversal has begun", async () => {
    const stalled = await stalledRefund("iso8583_claim_repeat");
    const { request, refund, sending, reversal, answered, reversing, other } = stalled;
    answered.open();
    await eventually("the answer waits for the reversal", async () => (await waiting(subject.database)) > 0);
    reversing.open();
    assert.deepEqual(await sending, { kind: "unknown" });
    assert.equal((await reversal).kind, "approved");
    assert.deepEqual(await other.refund(refund, signal), { kind: "unknown" });
    assert.equal((await ledgerOf(subject.database, subject.host, request.reference)).refunded, 0);
    await stalled.close();
  });

  test("leaves a refund to the process that waits for its answer, as long as that is in time", async () => {
    const request = requestOf();
    const [one, other] = [subject.open({ responseSeconds: 30 }), subject.open({ responseSeconds: 30 })];
    await one.acquirer.authorise(request, signal);
    const payment = paymentOf(request);
    const refundOf = () => ({ reference: newReference("rfd"), payment, amount: cents(100) });
    const late = refundOf();
    await subject.host.setFaults({ types: ["0200"], next: ["late", "silence"], lateMs: 5_000 });
    const sending = one.acquirer.refund(late, signal);
    const isSent = async (reference: string) => (await seenOf(reference)).length === 1;
    await eventually("the host has the refund", () => isSent(late.reference));
    assert.deepEqual(await other.acquirer.refund(late, signal), { kind: "accepted" });
    assert.equal((await sending).kind, "approved");
    assert.equal((await other.acquirer.refund(late, signal)).kind, "approved");

    const lost = refundOf();
    const impatient = subject.open();
    assert.deepEqual(await impatient.acquirer.refund(lost, signal), { kind: "unknown" });
    await impatient.close();
    assert.deepEqual(await other.acquirer.refund(lost, signal), { kind: "accepted" });
    await passTimeOf(lost.reference, other.acquirer.answersWithinMs);
    assert.deepEqual(await other.acquirer.refund(lost, signal), { kind: "unknown" });
    assert.equal((await other.acquirer.reverse(lost, signal)).kind, "approved");
    assert.equal((await ledgerOf(subject.database, subject.host, request.reference)).refunded, 100);
    await one.close();
    await other.close();
  });

  test("sends a reversal again when an approval comes after the host had not found the payment", async () => {
    const request = requestOf();
    const { acquirer, close } = subject.open();
    await subject.host.setFaults({ types: ["0200"], next: ["hold"], lateMs: 10_000 });
    assert.deepEqual(await acquirer.authorise(request, signal), { kind: "unknown" });
    const reversal = { reference: request.reference, payment: paymentOf(request) };
    assert.equal((await acquirer.reverse(reversal, signal)).kind, "approved");
    const late = () =>
      subject.database.rows(
        `select 1 from iso8583_messages where reference = '${request.reference}' and late_response_code = '00'`,
      );
    await eventually("the late approval is on record", async () => (await late()).length === 1);
    assert.equal((await ledgerOf(subject.database, subject.host, request.reference)).held, 3_000);
    await eventually("a reversal is planned", async () => planned.includes(request.reference));
    assert.equal((await acquirer.reverse(reversal, signal)).kind, "approved");
    assert.equal((await ledgerOf(subject.database, subject.host, request.reference)).held, 0);
    assert.deepEqual(
      (await seenOf(request.reference)).map(({ type }) => type),
      ["0200", "0420", "0421"],
    );
    await close();
  });

  test("says that the host did not receive a payment while nothing listens, and cancels it when it is reversed", async () => {
    const down = subject.open({ port: await freePort() });
    const request = requestOf();
    const answer = await down.acquirer.authorise(request, signal);
    assert.equal(answer.kind, "not_received");
    const reversal = { reference: request.reference, payment: paymentOf(request) };
    assert.equal((await down.acquirer.reverse(reversal, signal)).kind, "approved");
    assert.equal((await down.acquirer.authorise(request, signal)).kind, "declined");
    await down.close();
  });

  test("gives no trace number twice, from however many processes", async () => {
    const nodes = Array.from({ length: 4 }, () => subject.open());
    const requests = Array.from({ length: 80 }, () => requestOf());
    await Promise.all(
      requests.map(async (request, index) => nodes[index % 4]?.acquirer.authorise(request, signal)),
    );
    for (const { close } of nodes) await close();
    const all = (await subject.host.seen())
      .filter(({ type }) => type !== "0421")
      .map(({ fields }) => fields[11]);
    assert.equal(new Set(all).size, all.length);
  });

  test("starts trace numbers again after 999999, but not within a day", async () => {
    const use = async () => {
      const { acquirer, close } = subject.open();
      const answer = await acquirer.authorise(requestOf(), signal);
      await close();
      return answer;
    };
    await subject.database.rows("update iso8583_terminals set last_number = 999990");
    // Surely not received: the merchant's next account takes the payment.
    assert.deepEqual(await use(), {
      kind: "not_received",
      reason: "terminal TERM0001 has no trace number left today",
    });
    await subject.database.rows("update iso8583_terminals set started_at = now() - interval '27 hours'");
    assert.equal((await use()).kind, "approved");
    const [row] = await subject.database.rows<{ last: number }>(
      "select last_number as last from iso8583_terminals",
    );
    assert.equal(row?.last, 20);
  });

  test("what was sent before stays unknown when the trace numbers are used up", async () => {
    const request = requestOf();
    const { acquirer, close } = subject.open();
    await subject.host.setFaults({ types: ["0200"], next: ["silence"] });
    assert.deepEqual(await acquirer.authorise(request, signal), { kind: "unknown" });
    await close();
    await subject.database.rows("update iso8583_terminals set last_number = 999990, started_at = now()");
    const again = subject.open();
    assert.deepEqual(await again.acquirer.authorise(request, signal), { kind: "unknown" });
    await again.close();
    await subject.database.rows("update iso8583_terminals set started_at = now() - interval '27 hours'");
  });

  test("an answer of another type confirms no reversal, whatever its trace number says", async (t) => {
    const strange = await startStrangeHost();
    t.after(strange.stop);
    const warnings: string[] = [];
    const log: Log = { ...createLog("silent"), warn: (_, message) => void warnings.push(message) };
    const { acquirer, close } = subject.open({ port: strange.port, signOn: false }, { log });
    t.after(close);
    const request = requestOf();
    assert.deepEqual(await acquirer.authorise(request, signal), { kind: "unknown" });
    const reversal = { reference: request.reference, payment: paymentOf(request) };
    assert.deepEqual(await acquirer.reverse(reversal, signal), { kind: "unknown" });
    strange.answerLast("0210");
    await eventually("the answer is read", async () =>
      warnings.some((message) => message.includes("matches no open message")),
    );
    assert.deepEqual(await acquirer.reverse(reversal, signal), { kind: "unknown" });
    strange.answerLast("0430");
    await eventually("the reversal is confirmed", async () => {
      return (await acquirer.listPositions?.("", 1_000))?.some(
        ({ reference, isOpen }) => reference === request.reference && !isOpen,
      );
    });
    assert.equal((await acquirer.reverse(reversal, signal)).kind, "approved");
    assert.deepEqual(strange.types(), ["0200", "0420", "0421"]);
  });

  for (const isLate of [false, true]) {
    const when = isLate ? "late" : "in time";
    test(`a 0430 without a response code that comes ${when} refuses a void and ends a reversal`, async (t) => {
      const strange = await startStrangeHost();
      t.after(strange.stop);
      const { acquirer, close } = subject.open({ port: strange.port, signOn: false });
      t.after(close);
      const own = new Set<string>();
      const authorisation = () => {
        const request = requestOf({ isCapturedAtOnce: false });
        own.add(request.reference);
        return request;
      };
      let sent = 0;
      const answered = async (
        type: string,
        sending: Promise<AcquirerAnswer>,
        added?: IsoMessage["fields"],
      ) => {
        sent += 1;
        await eventually("the host has the message", async () => strange.types().length === sent);
        strange.answerLast(type, added);
        return sending;
      };
      const withoutCode = async (sending: Promise<AcquirerAnswer>) => {
        if (isLate) assert.deepEqual(await sending, { kind: "unknown" });
        const { kind } = await answered("0430", sending, {});
        await eventually("the answer is on record", async () => {
          const positions = await acquirer.listPositions?.("", 1_000);
          return positions?.every(({ reference, isOpen }) => !(isOpen && own.has(reference)));
        });
        return kind;
      };

      const held = authorisation();
      assert.equal((await answered("0110", acquirer.authorise(held, signal))).kind, "approved");
      const release = { reference: newReference("opr"), payment: paymentOf(held), amount: held.amount };
      assert.equal(await withoutCode(acquirer.void(release, signal)), isLate ? "unknown" : "declined");
      const refused = await acquirer.void(release, signal);
      assert.deepEqual(
        [refused.kind, "facts" in refused && refused.facts?.responseCode],
        ["declined", undefined],
      );

      const lost = authorisation();
      const unclear = await answered("0110", acquirer.authorise(lost, signal), {});
      assert.deepEqual(unclear, { kind: "unknown" }, "a request's answer without a code says nothing");
      const reversal = { reference: lost.reference, payment: paymentOf(lost) };
      assert.equal(await withoutCode(acquirer.reverse(reversal, signal)), isLate ? "unknown" : "approved");
      const ended = await acquirer.reverse({ ...reversal, endsWithAnyAnswer: true }, signal);
      assert.equal(ended.kind, "approved", "any answer has ended it, also a late one");
      assert.deepEqual(strange.types(), ["0100", "0420", "0100", "0420"]);
      // The host may not have seen the request: the gateway sends it once more, until 00.
      assert.equal((await answered("0430", acquirer.reverse(reversal, signal))).kind, "approved");
      assert.equal((await acquirer.reverse(reversal, signal)).kind, "approved");
      assert.deepEqual(strange.types(), ["0100", "0420", "0100", "0420", "0421"]);
    });
  }

  test("a test ends at its deadline, whatever time the host has for an answer", async () => {
    const { acquirer, close } = subject.open({ responseSeconds: 60 });
    await subject.host.setFaults({ types: ["0800"], next: ["none", "silence", "silence"] });
    for (const step of ["echo failed: no answer in time", "no answer in time"]) {
      const began = performance.now();
      const { hasPassed, detail } = await acquirer.test(AbortSignal.timeout(500));
      assert.deepEqual([hasPassed, detail.endsWith(step)], [false, true], detail);
      assert.ok(performance.now() - began < 5_000);
    }
    await subject.host.setFaults({});
    await close();
  });

  test("a test fails where the host refuses the echo", async (t) => {
    const refusing = await openAccount({ echo: "91" });
    t.after(refusing.close);
    const { acquirer, close } = refusing.open();
    t.after(close);
    const { hasPassed, detail } = await acquirer.test(signal);
    assert.deepEqual(
      [hasPassed, detail.endsWith(": echo refused with response code 91")],
      [false, true],
      detail,
    );
  });

  test("signs off when it is closed", async () => {
    const { acquirer, close } = subject.open();
    await acquirer.authorise(requestOf(), signal);
    await close();
    assert.equal((await subject.host.seen()).at(-1)?.fields[70], "002");
  });

  test("writes no card number and no security code to logs, journal or errors", async () => {
    const lines: string[] = [];
    const note = (fields: object, message: string) => {
      lines.push(JSON.stringify(fields), message);
    };
    const log = { debug: note, info: note, warn: note, error: note };
    const { acquirer, close } = subject.open({ responseSeconds: 1 }, { log });
    const faults = FAULTS.filter((fault) => fault !== "late");
    for (const fault of faults) {
      await subject.host.setFaults({ types: ["0200"], next: [fault], lateMs: 10 });
      const request = requestOf();
      lines.push(JSON.stringify(await acquirer.authorise(request, signal)));
      const reversal = { reference: request.reference, payment: paymentOf(request) };
      lines.push(JSON.stringify(await acquirer.reverse(reversal, signal)));
    }
    const unwritable = requestOf({ card: { ...CARD, number: "4111111111111111x" } });
    lines.push(JSON.stringify(await acquirer.authorise(unwritable, signal)));
    await close();
    lines.push(JSON.stringify(await subject.database.rows("select * from iso8583_messages")));
    assert.ok(lines.length > 3 * faults.length);
    for (const line of lines) {
      assert.ok(!line.includes("411111"), line);
      assert.ok(!/CV003|987SC/.test(line), line);
    }
  });

  test("checks settings and dialect files before an account is added", async () => {
    const connector = createIso8583({ db: {} as Database, log: createLog("silent"), now, planReversal });
    const settings = settingsFor(1, { dialect: "/nowhere.json" });
    const problems = await connector.checkSettings({ ...settings, tls: undefined });
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? "", /dialect file \/nowhere.json cannot be read/);
    assert.deepEqual(await connector.checkSettings({ ...settings, dialect: "iso87-binary" }), []);
  });

  test("a dialect without a field of every payment, or too short for the account's values, is refused", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "tidegate-dialect-"));
    t.after(() => rm(folder, { recursive: true }));
    const file = join(folder, "bank.json");
    const connector = createIso8583({ db: {} as Database, log: createLog("silent"), now, planReversal });
    const nameLocation = "Bicycles and more, Sydney AU";
    const { acquirer, close } = subject.open({ dialect: file, nameLocation });
    t.after(close);
    const settings = { ...settingsFor(1, { dialect: file, nameLocation }), tls: null };
    for (const [fields, problems] of [
      [
        { 14: null, 18: null, 22: null, 25: null, 43: null },
        [`dialect file ${file}: the connector needs field 14, field 18, field 22, field 25, field 43`],
      ],
      [
        { 11: { maximum: 4 }, 41: { format: "n" }, 43: { length: "ll", maximum: 20 } },
        [
          `dialect ${file}: field 11 has the length 6: it must be 4`,
          `dialect ${file}: field 41 holds digits only`,
          `dialect ${file}: field 43 has the length 28: at most 20 is allowed`,
        ],
      ],
    ] as const) {
      await writeFile(file, JSON.stringify({ name: "bank", base: "iso87-ascii", fields }));
      assert.deepEqual(await connector.checkSettings(settings), problems);
      assert.equal((await acquirer.test(signal)).detail, problems.join("; "));
    }
    await writeFile(
      file,
      JSON.stringify({ name: "bank", base: "iso87-ascii", fields: { 41: { maximum: 16 } } }),
    );
    assert.deepEqual(await connector.checkSettings(settings), []);
  });

  test("reads TLS files before an account is added: one line for each that can't be read", async () => {
    const connector = createIso8583({ db: {} as Database, log: createLog("silent"), now, planReversal });
    const problemsOf = (tls: object) => connector.checkSettings(settingsFor(1, { tls }));
    const { certFile, keyFile } = await makeCertificate();
    assert.deepEqual(await problemsOf({ caFile: certFile, certFile, keyFile }), []);
    assert.deepEqual(await problemsOf({ caFile: "/nowhere/ca", certFile: "/nowhere/c", keyFile: tmpdir() }), [
      "tls.caFile cannot be read: ENOENT",
      "tls.certFile cannot be read: ENOENT",
      "tls.keyFile cannot be read: EISDIR",
    ]);
    const [useless, ...others] = await problemsOf({ certFile: keyFile, keyFile: certFile });
    assert.match(useless ?? "", /^tls: the certificates or the key in its files can't be used: /);
    assert.deepEqual(others, []);
  });
});

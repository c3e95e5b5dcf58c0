import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { after, afterEach, before, describe, test } from "node:test";
import { cents } from "../../src/kernel/money.ts";
import { makeCertificate } from "../support/certificate.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import type { Fault } from "../support/iso-host/faults.ts";
import { type IsoHost, startIsoHost } from "../support/iso-host/iso-host.ts";
import { openTestLink, purchase, settingsFor, type TestLink } from "../support/iso-host/test-link.ts";

let host: IsoHost;
const opened: TestLink[] = [];
const open = async (settings: Parameters<typeof openTestLink>[0]) => {
  const made = await openTestLink(settings);
  opened.push(made);
  return made;
};
before(async () => {
  host = await startIsoHost();
});
afterEach(async () => {
  await host.setFaults({});
  for (const { link } of opened.splice(0)) await link.close();
});
after(() => host.stop());

describe("the link to an ISO 8583 host", () => {
  for (const dialect of ["iso87-ascii", "iso87-binary"]) {
    for (const framing of ["binary2", "ascii4"] as const) {
      test(`signs on and has a purchase answered in ${dialect} with ${framing}`, async () => {
        const own = await startIsoHost({ dialect, framing });
        const settings = settingsFor(own.port, { dialect, framing, responseSeconds: 30 });
        const { link } = await openTestLink(settings);
        const result = await link.exchange(purchase(settings));
        assert.ok(result.kind === "answered");
        assert.equal(result.answer.fields[39], "00");
        await link.close();
        const seen = (await own.seen()).map(({ type, fields }) => [type, fields[70]]);
        assert.deepEqual(seen, [
          ["0800", "001"],
          ["0200", undefined],
          ["0800", "002"],
        ]);
        await own.stop();
      });
    }
  }

  test("matches many answers in flight, and has no more than the maximum outstanding", async () => {
    const settings = settingsFor(host.port, { maximumInFlight: 8, responseSeconds: 30 });
    const { link, unmatched } = await open(settings);
    await host.setFaults({ types: ["0200"], next: Array.from({ length: 40 }, () => "late"), lateMs: 60 });
    const began = performance.now();
    const sent = Array.from({ length: 40 }, (_, index) => purchase(settings, { amount: cents(index + 1) }));
    const results = await Promise.all(sent.map((message) => link.exchange(message)));
    for (const [index, result] of results.entries()) {
      assert.ok(result.kind === "answered");
      assert.equal(Number(result.answer.fields[4]), index + 1);
    }
    // Five rounds of eight, each of at least 60 ms.
    assert.ok(performance.now() - began >= 290);
    assert.deepEqual(unmatched, []);
  });

  test("does not send what finds no place in time", async () => {
    const settings = settingsFor(host.port, { maximumInFlight: 1 });
    const { link } = await open(settings);
    await host.setFaults({ types: ["0200"], next: ["silence"] });
    const [first, second] = await Promise.all([
      link.exchange(purchase(settings)),
      link.exchange(purchase(settings), { signal: AbortSignal.timeout(300) }),
    ]);
    assert.equal(first.kind, "unanswered");
    assert.equal(second.kind, "not_sent");
  });

  test("does not send what may have been reversed meanwhile, also on a link that is up", async (t) => {
    const own = await startIsoHost();
    t.after(() => own.stop());
    const settings = settingsFor(own.port);
    const { link } = await openTestLink(settings);
    t.after(() => link.close());
    await link.open();
    const late = await link.exchange(purchase(settings), { sendBy: performance.now() - 1 });
    assert.deepEqual(late, { kind: "not_sent", reason: "too late to send it" });
    const inTime = await link.exchange(purchase(settings), { sendBy: performance.now() + 1_000 });
    assert.equal(inTime.kind, "answered");
    const purchases = (await own.seen()).filter(({ type }) => type === "0200");
    assert.equal(purchases.length, 1);
  });

  const doubtful: readonly Fault[] = [
    "silence",
    "lost",
    "late",
    "garbage",
    "half",
    "wrong stan",
    "close before",
    "close after",
    "unreadable",
  ];
  for (const fault of doubtful) {
    test(`says that a message may have arrived: ${fault}; the next one is answered`, async () => {
      const settings = settingsFor(host.port);
      const { link } = await open(settings);
      await link.open();
      await host.setFaults({ types: ["0200"], next: [fault], lateMs: 1_200 });
      assert.equal((await link.exchange(purchase(settings))).kind, "unanswered");
      assert.equal((await link.exchange(purchase(settings))).kind, "answered");
    });
  }

  test("reports late, doubled and foreign answers as unmatched", async () => {
    const settings = settingsFor(host.port);
    const { link, unmatched } = await open(settings);
    await host.setFaults({ types: ["0200"], next: ["late", "duplicate", "wrong stan"], lateMs: 1_100 });
    const late = purchase(settings);
    await link.exchange(late);
    assert.equal((await link.exchange(purchase(settings))).kind, "answered");
    await link.exchange(purchase(settings));
    await eventually("all three are reported", async () => unmatched.length === 3);
    assert.ok(unmatched.some(({ fields }) => fields[11] === late.fields[11]));
  });

  test("says that a message was surely not sent when nothing listens", async () => {
    const settings = settingsFor(await freePort());
    const { link } = await open(settings);
    const result = await link.exchange(purchase(settings));
    assert.ok(result.kind === "not_sent");
    assert.match(result.reason, /cannot connect: ECONNREFUSED/);
  });

  test("says that a message was surely not sent when sign-on is refused or unanswered", async (t) => {
    const strict = await startIsoHost({ signOn: "91" });
    t.after(() => strict.stop());
    const settings = settingsFor(strict.port);
    const { link } = await openTestLink(settings);
    const refused = await link.exchange(purchase(settings));
    assert.ok(refused.kind === "not_sent");
    assert.match(refused.reason, /sign-on refused with response code 91/);
    await link.close();
    await strict.setFaults({ types: ["0800"], next: ["silence"] });
    const silent = await openTestLink(settings);
    const unanswered = await silent.link.exchange(purchase(settings));
    assert.ok(unanswered.kind === "not_sent");
    // The deadlines of the sign-on and of the message end at the same moment.
    assert.match(unanswered.reason, /sign-on failed: no answer within 1000 ms|the link was not open in time/);
    await silent.link.close();
    assert.ok((await strict.seen()).every(({ type }) => type === "0800"));
  });

  test("does not send a message that cannot be written", async () => {
    const settings = settingsFor(host.port);
    const { link } = await open(settings);
    const result = await link.exchange({ type: "0200", fields: { 2: "x", 11: "000001" } });
    assert.deepEqual(result, { kind: "not_sent", reason: "field 2 holds digits only" });
  });

  test("opens again by itself after the host closed it", async () => {
    const settings = settingsFor(host.port);
    const { link } = await open(settings);
    await link.open();
    await host.dropLinks();
    await eventually("it is down", async () => link.state() !== "up");
    await eventually("it is up again", async () => link.state() === "up");
    assert.equal((await link.exchange(purchase(settings))).kind, "answered");
  });

  test("waits longer and longer before it tries again to reach a host that is away", async (t) => {
    const attempts: number[] = [];
    const away = createServer((socket) => {
      attempts.push(performance.now());
      socket.destroy();
    });
    t.after(() => away.close());
    away.listen(0, "127.0.0.1");
    await once(away, "listening");
    const settings = settingsFor((away.address() as AddressInfo).port);
    const { link } = await open(settings);
    assert.notEqual(await link.open(), undefined);
    await eventually("four attempts", async () => attempts.length >= 4);
    const pauses = attempts.slice(1, 4).map((at, index) => at - (attempts[index] ?? 0));
    // Half a second, twice as long after each, and up to a quarter less.
    for (const [index, least] of [370, 740, 1_490].entries())
      assert.ok((pauses[index] ?? 0) >= least, `pauses of ${pauses.map(Math.round).join(", ")} ms`);
  });

  test("closes at once where a sign-on is not answered and nothing waits for it", async () => {
    const settings = settingsFor(host.port, { responseSeconds: 60 });
    await host.setFaults({ types: ["0800"], next: ["silence"] });
    const { link } = await open(settings);
    const before = (await host.seen()).length;
    const opening = link.open();
    await eventually("the sign-on is at the host", async () => (await host.seen()).length > before);
    const began = performance.now();
    await link.close();
    assert.ok(performance.now() - began < 3_000);
    assert.match((await opening) ?? "", /sign-on failed/);
  });

  test("echoes when idle, and opens again when an echo stays unanswered", async () => {
    const settings = settingsFor(host.port, { echoSeconds: 1 });
    const before = (await host.seen()).length;
    const { link, states } = await open(settings);
    await link.open();
    const echoes = async () => (await host.seen()).slice(before).filter(({ fields }) => fields[70] === "301");
    await eventually("an echo arrives", async () => (await echoes()).length === 1);
    await host.setFaults({ types: ["0800"], next: ["silence"] });
    await eventually("it is opened again", async () => states.filter((state) => state === "up").length === 2);
  });

  test("opens again when the host refuses an echo", async (t) => {
    const own = await startIsoHost({ echo: "91" });
    t.after(() => own.stop());
    const { link, states } = await open(settingsFor(own.port, { echoSeconds: 1 }));
    await link.open();
    await eventually("it is opened again", async () => states.filter((state) => state === "up").length === 2);
  });

  const networkMessage = (type: string, code: string) => ({
    type,
    fields: { 7: "0601120000", 11: "000001", 70: code },
  });

  test("confirms what it can follow of the host's network messages, and refuses the others", async (t) => {
    const own = await startIsoHost();
    t.after(() => own.stop());
    const { link, unmatched, refused } = await open(settingsFor(own.port));
    await link.open();
    for (const [type, code, answer, response] of [
      ["0800", "301", "0810", "00"],
      ["0801", "001", "0810", "00"],
      ["0820", "201", "0830", "00"],
      ["0800", "101", "0810", "12"],
      ["0821", "162", "0830", "12"],
    ] as const) {
      await own.send(networkMessage(type, code));
      await eventually(`${type} with ${code} is answered`, async () => {
        const last = (await own.seen()).at(-1);
        return last?.type === answer && last.fields[70] === code && last.fields[39] === response;
      });
    }
    assert.deepEqual(
      refused.map(({ fields }) => fields[70]),
      ["101", "162"],
    );
    assert.deepEqual([unmatched, link.state()], [[], "up"]);
  });

  test("signs on again before it sends anything to a host that signed off", async (t) => {
    const own = await startIsoHost();
    t.after(() => own.stop());
    const settings = settingsFor(own.port);
    const { link, states } = await open(settings);
    await link.open();
    await own.send(networkMessage("0800", "002"));
    await eventually("the link is closed", async () => states.includes("closed"));
    assert.equal((await link.exchange(purchase(settings))).kind, "answered");
    const seen = (await own.seen()).map(({ type, fields }) => [type, fields[70], fields[39]]);
    assert.deepEqual(seen, [
      ["0800", "001", undefined],
      ["0810", "002", "00"],
      ["0800", "001", undefined],
      ["0200", undefined, undefined],
    ]);
  });

  test("a host that signs off may still answer what is in flight", async (t) => {
    const own = await startIsoHost();
    t.after(() => own.stop());
    const settings = settingsFor(own.port, { responseSeconds: 30 });
    const { link, states, unmatched } = await open(settings);
    await own.setFaults({ types: ["0200"], next: ["late"], lateMs: 1_500 });
    const paying = link.exchange(purchase(settings));
    await eventually("the payment is there", async () =>
      (await own.seen()).some(({ type }) => type === "0200"),
    );
    await own.send(networkMessage("0800", "002"));
    await eventually("the link is closed", async () => states.includes("closed"));
    assert.equal((await paying).kind, "answered");
    assert.deepEqual(unmatched, []);
  });

  test("needs the host's certificate to be trusted, and shows its own", async () => {
    const { certFile, keyFile } = await makeCertificate();
    const secure = await startIsoHost({ tls: { certFile, keyFile, caFile: certFile } });
    const all = { caFile: certFile, certFile, keyFile };
    const settings = settingsFor(secure.port, { tls: all });
    const { link } = await openTestLink(settings);
    assert.equal((await link.exchange(purchase(settings))).kind, "answered");
    await link.close();
    for (const tls of [
      { certFile, keyFile },
      { ...all, caFile: "/nowhere" },
    ]) {
      const wrong = await openTestLink(settingsFor(secure.port, { tls }));
      assert.equal((await wrong.link.exchange(purchase(settings))).kind, "not_sent");
      await wrong.link.close();
    }
    const anonymous = await openTestLink(settingsFor(secure.port, { tls: { caFile: certFile } }));
    assert.equal((await anonymous.link.exchange(purchase(settings))).kind, "not_sent");
    await anonymous.link.close();
    await secure.stop();
  });
});

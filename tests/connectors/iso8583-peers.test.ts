import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
// @ts-expect-error it comes without types
import untypedPeer from "iso_8583";
import { decodeMessage, encodeMessage } from "../../src/connectors/iso8583/codec.ts";
import type { IsoMessage } from "../../src/connectors/iso8583/dialect.ts";
import { checkDialect } from "../../src/connectors/iso8583/dialect-file.ts";
import { createFrameReader, frame } from "../../src/connectors/iso8583/framing.ts";
import { DIALECTS } from "../../src/connectors/iso8583/iso87.ts";
import { buildCompletion, buildReversal } from "../../src/connectors/iso8583/messages.ts";
import { traceOf } from "../../src/connectors/iso8583/trace.ts";
import { cents } from "../../src/kernel/money.ts";
import { instant } from "../../src/kernel/time.ts";
import { type Captured, captureOf } from "../support/iso-host/capture-file.ts";
import { startIsoHost } from "../support/iso-host/iso-host.ts";
import { tapPort } from "../support/iso-host/tap.ts";
import { openTestLink, purchase, settingsFor } from "../support/iso-host/test-link.ts";

/** The part of npm's iso_8583 that this test uses; it comes without types. */
type Peer = {
  readonly getBufferMessage: () => Buffer | { readonly error: string };
  readonly getIsoJSON: (message: Buffer) => Readonly<Record<string, string>>;
};
type PeerClass = new (message?: Readonly<Record<number, string>>) => Peer;
const Iso8583 = untypedPeer as PeerClass;

const run = promisify(execFile);
const SETTINGS = settingsFor(5_000);
const NOW = instant(Date.UTC(2026, 10, 15, 20, 5, 9));
const PURCHASE = purchase(SETTINGS);
const REVERSAL = buildReversal(SETTINGS, traceOf(43, NOW, "Australia/Sydney"), {
  original: { type: "0200", code: "000000", trace: traceOf(42, NOW, "Australia/Sydney"), currency: "AUD" },
  amount: cents(1_000),
  number: "4111111111111111",
  authorisation: null,
  isRepeat: false,
});

describe("npm's iso_8583", () => {
  // It writes characters with a bitmap of bytes, which is a dialect of its own.
  const checked = checkDialect({ name: "iso-8583-js", base: "iso87-ascii", bitmap: "raw" });
  assert.ok("dialect" in checked);
  const { dialect } = checked;
  const filled = ({ type, fields }: IsoMessage): IsoMessage =>
    decodeMessage(dialect, encodeMessage(dialect, { type, fields }));

  for (const message of [PURCHASE, REVERSAL]) {
    test(`writes the same bytes of a ${message.type} as we do, and reads ours`, () => {
      const { type, fields } = filled(message);
      const ours = frame("binary2", encodeMessage(dialect, { type, fields }));
      const peer = new Iso8583({ 0: type, ...fields });
      const theirs = peer.getBufferMessage();
      assert.ok(Buffer.isBuffer(theirs), JSON.stringify(theirs));
      // It always writes two bitmaps.
      assert.deepEqual(decodeMessage(dialect, theirs.subarray(2)), { type, fields });
      if (type === "0420") assert.equal(theirs.toString("hex"), ours.toString("hex"));
      const read = new Iso8583().getIsoJSON(ours);
      const { "0": readType, "1": _, ...readFields } = read;
      assert.equal(readType, type);
      assert.deepEqual({ ...readFields }, { ...fields });
    });
  }
});

const tshark = await run("tshark", ["--version"]).then(
  () => undefined,
  () => "tshark is missing: install Debian's package tshark",
);

describe("tshark", { skip: tshark ?? false }, () => {
  const ascii = [
    "iso8583.charset:Digits represented as ASCII Characters",
    "iso8583.binencode:Bin data represented as Hex Ascii characters",
  ];
  const packed = ["iso8583.charset:Digits represented in nibbles", "iso8583.binencode:Bin data not encoded"];
  for (const [name, preferences] of [
    ["iso87-ascii", ascii],
    ["iso87-binary", packed],
  ] as const) {
    test(`reads every field of all message types in captured traffic of ${name}`, async () => {
      const dialect = DIALECTS.get(name) ?? assert.fail();
      const captured = await captureAll(name);
      const folder = await mkdtemp(join(tmpdir(), "tidegate-capture-"));
      try {
        const file = join(folder, "iso.pcap");
        await writeFile(file, captureOf(captured, 5_000));
        const all = ["iso8583.len_endian:Big endian", ...preferences];
        const chosen = all.flatMap((preference) => ["-o", preference]);
        const options = ["-r", file, "-d", "tcp.port==5000,iso8583", ...chosen, "-T", "json"];
        const { stdout } = await run("tshark", options, { maxBuffer: 16 * 1024 * 1024 });
        const packets = JSON.parse(stdout) as readonly Packet[];
        const types: string[] = [];
        for (const [index, { bytes }] of captured.entries()) {
          const [message = assert.fail(), ...others] = createFrameReader("binary2")(bytes);
          assert.deepEqual(others, [], "one message in a packet");
          const { type, fields } = decodeMessage(dialect, message);
          types.push(type);
          const layer = packets[index]?._source.layers.iso8583 ?? assert.fail("tshark sees no ISO 8583");
          assert.equal(layer["iso8583.mti"], type);
          for (const [field, value] of Object.entries(fields)) {
            // Fields of an odd number of packed digits are misread by tshark.
            const rule = dialect.fields.get(Number(field));
            const isOdd = rule?.digits === "packed" && rule.format === "n" && value.length % 2 === 1;
            if (isOdd) continue;
            assert.equal(plain(layer[`iso8583.bit${field}`]), plain(value), `${type} field ${field}`);
          }
        }
        assert.deepEqual(types, [
          ...["0800", "0810", "0200", "0210", "0100", "0110", "0220", "0221", "0230"],
          ...["0100", "0110", "0200", "0210", "0420", "0421", "0430", "0800", "0810", "0800", "0810"],
        ]);
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  }
});

/** Sends every message that the gateway has to a host, two of them again, and returns what was on the wire. */
async function captureAll(dialect: string): Promise<readonly Captured[]> {
  const host = await startIsoHost({ dialect });
  const tap = await tapPort(host.port);
  const settings = settingsFor(tap.port, { dialect });
  const { link } = await openTestLink(settings);
  try {
    await host.setFaults({ types: ["0220", "0420"], next: ["silence", "silence"] });
    const paid = purchase(settings);
    const authorised = purchase(settings, { kind: "authorisation" });
    const followUp = (build: typeof buildReversal, { type, fields }: IsoMessage, stan: number) => {
      const { 7: transmitted = "", 11: own = "", 37: retrieval = "" } = fields;
      const trace = { ...traceOf(Number(own), NOW, "Australia/Sydney"), transmitted, retrieval };
      const original = { type, code: "000000", trace, currency: "AUD" } as const;
      const input = { original, amount: cents(1_000), number: "4111111111111111", authorisation: "A1B2C3" };
      return [false, true].map((isRepeat) =>
        build(settings, traceOf(stan, NOW, "Australia/Sydney"), { ...input, isRepeat }),
      );
    };
    const messages = [
      paid,
      authorised,
      ...followUp(buildCompletion, authorised, 990_001),
      purchase(settings, { kind: "verification", amount: cents(0) }),
      purchase(settings, { kind: "refund", privateData: {} }),
      ...followUp(buildReversal, paid, 990_002),
    ];
    for (const message of messages) await link.exchange(message);
    await link.echo();
    await link.close();
    return [...tap.captured];
  } finally {
    tap.stop();
    await host.stop();
  }
}

type Packet = {
  readonly _source: { readonly layers: { readonly iso8583?: Readonly<Record<string, string>> } };
};

/** Without what fills a fixed field. */
function plain(value: string | undefined): string | undefined {
  return value?.replace(/^0+(?=.)/, "").trimEnd();
}

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
import { type Framing, frame } from "../../src/connectors/iso8583/framing.ts";
import { DIALECTS } from "../../src/connectors/iso8583/iso87.ts";
import { buildReversal } from "../../src/connectors/iso8583/messages.ts";
import { traceOf } from "../../src/connectors/iso8583/trace.ts";
import { cents } from "../../src/kernel/money.ts";
import { instant } from "../../src/kernel/time.ts";
import { captureOf } from "../support/iso-host/capture-file.ts";
import { purchase, settingsFor } from "../support/iso-host/test-link.ts";

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
  const cases: readonly (readonly [string, Framing, readonly string[]])[] = [
    ["iso87-ascii", "binary2", ascii],
    ["iso87-binary", "binary2", packed],
  ];
  for (const [name, framing, preferences] of cases) {
    test(`reads every field of a purchase and a reversal in ${name}`, async () => {
      const dialect = DIALECTS.get(name);
      assert.ok(dialect !== undefined);
      const folder = await mkdtemp(join(tmpdir(), "tidegate-capture-"));
      try {
        const file = join(folder, "iso.pcap");
        const messages = [PURCHASE, REVERSAL].map((message) =>
          frame(framing, encodeMessage(dialect, message)),
        );
        await writeFile(file, captureOf(messages, 5_000));
        const all = ["iso8583.len_endian:Big endian", ...preferences];
        const chosen = all.flatMap((preference) => ["-o", preference]);
        const options = ["-r", file, "-d", "tcp.port==5000,iso8583", ...chosen, "-T", "json"];
        const { stdout } = await run("tshark", options);
        const packets = JSON.parse(stdout) as readonly Packet[];
        assert.equal(packets.length, 2);
        for (const [index, message] of [PURCHASE, REVERSAL].entries()) {
          const layer = packets[index]?._source.layers.iso8583;
          assert.ok(layer !== undefined, "tshark sees no ISO 8583");
          assert.equal(layer["iso8583.mti"], message.type);
          for (const [field, value] of Object.entries(message.fields)) {
            // Fields of an odd number of packed digits are misread by tshark.
            const rule = dialect.fields.get(Number(field));
            const isOdd = rule?.digits === "packed" && rule.format === "n" && value.length % 2 === 1;
            if (isOdd) continue;
            assert.equal(plain(layer[`iso8583.bit${field}`]), plain(value), `field ${field}`);
          }
        }
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  }
});

type Packet = {
  readonly _source: { readonly layers: { readonly iso8583?: Readonly<Record<string, string>> } };
};

/** Without what fills a fixed field. */
function plain(value: string | undefined): string | undefined {
  return value?.replace(/^0+(?=.)/, "").trimEnd();
}

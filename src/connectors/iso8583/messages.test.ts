import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { OUTCOMES } from "../../kernel/codes/outcomes.ts";
import { cents } from "../../kernel/money.ts";
import { instant } from "../../kernel/time.ts";
import { describeMessage } from "./describe-message.ts";
import {
  buildCompletion,
  buildNetworkMessage,
  buildRequest,
  buildReversal,
  type RequestInput,
} from "./messages.ts";
import { readPrivateData, writePrivateData } from "./private-data.ts";
import { outcomeOfResponse } from "./response-codes.ts";
import { traceOf } from "./trace.ts";

const TERMINAL = {
  acquirerId: "123456",
  merchantId: "MERCHANT1",
  terminalId: "TERM0001",
  merchantCategoryCode: "5999",
  nameLocation: "Shop Sydney AU",
};
/** In Sydney, which is eleven hours ahead, this is the next day. */
const NOW = instant(Date.UTC(2026, 10, 15, 20, 5, 9));
const TRACE = traceOf(42, NOW, "Australia/Sydney");
const INPUT: RequestInput = {
  kind: "purchase",
  amount: cents(10_000),
  surcharge: cents(150),
  currency: "AUD",
  origin: "internet",
  card: { number: "4111111111111111", expiryMonth: 3, expiryYear: 2029 },
  privateData: { CV: "123", SC: "C" },
};

describe("a message to the host", () => {
  test("of a purchase has the contract's fields, with the surcharge in the amount", () => {
    assert.deepEqual(buildRequest(TERMINAL, TRACE, INPUT), {
      type: "0200",
      fields: {
        2: "4111111111111111",
        3: "000000",
        4: "10150",
        7: "1115200509",
        11: "000042",
        12: "070509",
        13: "1116",
        14: "2903",
        18: "5999",
        22: "810",
        25: "59",
        32: "123456",
        37: "631920000042",
        41: "TERM0001",
        42: "MERCHANT1",
        43: "Shop Sydney AU",
        48: "CV003123SC001C",
        49: "036",
      },
    });
  });

  const kinds = [
    ["authorisation", "0100", "000000"],
    ["verification", "0100", "000000"],
    ["refund", "0200", "200000"],
  ] as const;
  for (const [kind, type, code] of kinds) {
    test(`of a ${kind} is ${type} with processing code ${code}`, () => {
      const message = buildRequest(TERMINAL, TRACE, { ...INPUT, kind });
      assert.equal(message.type, type);
      assert.equal(message.fields[3], code);
    });
  }

  test("by mail or telephone says so in fields 22 and 25, and New Zealand's dollar is 554", () => {
    for (const origin of ["mail", "telephone"] as const) {
      const { fields } = buildRequest(TERMINAL, TRACE, {
        ...INPUT,
        origin,
        currency: "NZD",
        privateData: {},
      });
      assert.equal(fields[22], "100");
      assert.equal(fields[25], "08");
      assert.equal(fields[49], "554");
      assert.equal(48 in fields, false);
    }
  });

  const original = { type: "0100", code: "000000", trace: TRACE, currency: "AUD" } as const;
  const followUp = { original, amount: cents(10_150), number: "4111111111111111", authorisation: "A1B2C3" };
  const ORIGINAL_DATA = "0100000042111520050900000123456" + "00000000000";
  const own = traceOf(43, NOW, "Australia/Sydney");

  test("of a reversal names the original in field 90 and keeps its retrieval reference", () => {
    const first = buildReversal(TERMINAL, own, { ...followUp, isRepeat: false });
    assert.equal(first.type, "0420");
    assert.deepEqual(
      [
        first.fields[2],
        first.fields[3],
        first.fields[4],
        first.fields[11],
        first.fields[37],
        first.fields[90],
      ],
      ["4111111111111111", "000000", "10150", "000043", TRACE.retrieval, ORIGINAL_DATA],
    );
    const repeat = buildReversal(TERMINAL, own, { ...followUp, isRepeat: true });
    assert.deepEqual(repeat, { type: "0421", fields: first.fields });
  });

  test("of a completion has the authorisation code and field 90; repeats differ in the type alone", () => {
    const first = buildCompletion(TERMINAL, own, { ...followUp, isRepeat: false });
    assert.equal(first.type, "0220");
    assert.equal(first.fields[38], "A1B2C3");
    assert.equal(first.fields[3], "000000");
    assert.equal(first.fields[90], ORIGINAL_DATA);
    const repeat = buildCompletion(TERMINAL, own, { ...followUp, isRepeat: true });
    assert.deepEqual(repeat, { type: "0221", fields: first.fields });
  });

  test("of the network is 001 to sign on, 002 to sign off, 301 to echo", () => {
    const codes = (["sign-on", "sign-off", "echo"] as const).map(
      (code) => buildNetworkMessage(TERMINAL, TRACE, code).fields[70],
    );
    assert.deepEqual(codes, ["001", "002", "301"]);
  });

  test("is described for logs without number, expiry, track, private data, PIN or chip data", () => {
    const secrets = {
      2: "4111111111111111",
      14: "2903",
      35: "411=1",
      45: "B411",
      48: "CV003987",
      52: "AB",
      55: "9F",
    };
    const text = describeMessage({ type: "0200", fields: { ...secrets, 4: "100", 11: "000042" } });
    assert.equal(text, "0200 2 4=100 11=000042 14 35 45 48 52 55");
  });
});

describe("field 48", () => {
  test("is read tag by tag, until something else begins", () => {
    assert.deepEqual(
      [...readPrivateData("NT015N12345678901234CR001M")],
      [
        ["NT", "N12345678901234"],
        ["CR", "M"],
      ],
    );
    assert.deepEqual([...readPrivateData("CR001MNT999short")], [["CR", "M"]]);
    assert.deepEqual([...readPrivateData(undefined)], []);
  });

  test("is left out when there is nothing to say", () => {
    assert.equal(writePrivateData({}), undefined);
    assert.equal(
      writePrivateData({ EC: "05", CA: "AAAB", DS: "d-1", NT: "n" }),
      "EC00205CA004AAABDS003d-1NT001n",
    );
  });
});

describe("a response code", () => {
  test("is the outcome with the same two digits", () => {
    assert.deepEqual(outcomeOfResponse("00"), { kind: "approved", code: "approved" });
    assert.deepEqual(outcomeOfResponse("10"), { kind: "approved", code: "approved_for_partial_amount" });
    assert.deepEqual(outcomeOfResponse("05"), { kind: "declined", code: "do_not_honour" });
    assert.deepEqual(outcomeOfResponse("51"), { kind: "declined", code: "insufficient_funds" });
  });

  test("stands for one code of the catalogue, and every code of these series has its own", () => {
    const series = Object.entries(OUTCOMES).filter(([, id]) => /^(A020|D044)\d\d$/.test(id));
    assert.ok(series.length > 30);
    for (const [name, id] of series) {
      // The host's 10 is a partial approval, and its 17 a cancellation: D04410 and D04417 are decided by the gateway itself.
      const ofHost: Readonly<Record<string, string>> = {
        D04410: "approved_for_partial_amount",
        D04417: "do_not_honour",
      };
      assert.equal(outcomeOfResponse(id.slice(-2)).code, ofHost[id] ?? name);
    }
  });

  test("that the catalogue does not know is a decline", () => {
    for (const code of ["99", "A1", "", "  "]) {
      assert.deepEqual(outcomeOfResponse(code), { kind: "declined", code: "do_not_honour" });
    }
  });
});

import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { buildReversal } from "../../src/connectors/iso8583/messages.ts";
import { traceOf } from "../../src/connectors/iso8583/trace.ts";
import { cents } from "../../src/kernel/money.ts";
import { instant } from "../../src/kernel/time.ts";
import { openTestLink, purchase, settingsFor, type TestLink } from "../support/iso-host/test-link.ts";
import { findObstacle, type JposHost, startJpos } from "./start-jpos.ts";

const obstacle = await findObstacle();

/** Numbers with an odd and an even number of digits: packed, they differ. */
const NUMBERS = ["4111111111111111", "378282246310005", "4000000000000000006"];

let host: JposHost;
let opened: TestLink;
afterEach(async () => {
  await opened?.link.close();
  await host?.stop();
});

describe("jPOS as the host", { skip: obstacle ?? false }, () => {
  for (const dialect of ["iso87-ascii", "iso87-binary"]) {
    for (const framing of ["binary2", "ascii4"] as const) {
      test(`reads every field that we write in ${dialect} with ${framing}, and we its answers`, async () => {
        host = await startJpos(dialect, framing);
        const settings = settingsFor(host.port, { dialect, framing, responseSeconds: 5 });
        opened = await openTestLink(settings);
        const { link } = opened;
        for (const number of NUMBERS) {
          const message = purchase(settings, { card: { number, expiryMonth: 11, expiryYear: 2031 } });
          const result = await link.exchange(message);
          assert.ok(result.kind === "answered", JSON.stringify(result));
          assert.equal(result.answer.fields[39], "00");
          const read = (await host.seen()).at(-1);
          assert.ok(read !== undefined);
          for (const [field, value] of Object.entries(message.fields)) {
            assert.equal(withoutFilling(read[field]), withoutFilling(value), `field ${field}`);
          }
        }
        const declined = await link.exchange(purchase(settings, { amount: cents(14_451) }));
        assert.ok(declined.kind === "answered");
        assert.equal(declined.answer.fields[39], "51");
      });
    }
  }

  test("never answers a purchase of 150.01; its reversal is confirmed", async () => {
    host = await startJpos("iso87-binary", "binary2");
    const settings = settingsFor(host.port, { dialect: "iso87-binary", responseSeconds: 2 });
    opened = await openTestLink(settings);
    const { link } = opened;
    const lost = purchase(settings, { amount: cents(15_001) });
    assert.equal((await link.exchange(lost)).kind, "unanswered");
    const now = instant(Date.now());
    const trace = {
      ...traceOf(Number(lost.fields[11]), now, "Australia/Sydney"),
      transmitted: lost.fields[7] ?? "",
      retrieval: lost.fields[37] ?? "",
    };
    const reversal = buildReversal(settings, traceOf(999_001, now, "Australia/Sydney"), {
      original: { type: "0200", code: "000000", trace, currency: "AUD" },
      amount: cents(15_001),
      number: "4111111111111111",
      authorisation: null,
      isRepeat: false,
    });
    const result = await link.exchange(reversal);
    assert.ok(result.kind === "answered");
    assert.equal(result.answer.type, "0430");
    assert.equal(result.answer.fields[39], "00");
    const entry = (await host.ledger()).find(({ retrieval }) => retrieval === lost.fields[37]);
    assert.equal(entry?.reversed, true);
  });
});

/** jPOS shows fixed fields with the zeros and spaces that fill them. */
function withoutFilling(value: string | undefined): string | undefined {
  return value?.replace(/^0+(?=.)/, "").trimEnd();
}

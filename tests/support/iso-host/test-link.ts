import type { IsoMessage } from "../../../src/connectors/iso8583/dialect.ts";
import { openDialect } from "../../../src/connectors/iso8583/dialect-file.ts";
import { createLink, type Link } from "../../../src/connectors/iso8583/link.ts";
import { buildRequest, type RequestInput } from "../../../src/connectors/iso8583/messages.ts";
import { checkSettings, type Iso8583Settings } from "../../../src/connectors/iso8583/settings.ts";
import { traceOf } from "../../../src/connectors/iso8583/trace.ts";
import { cents } from "../../../src/kernel/money.ts";
import { instant } from "../../../src/kernel/time.ts";

/** Settings of an account at a host on this machine. */
export function settingsFor(port: number, changes: Partial<Iso8583Settings> = {}): Iso8583Settings {
  const checked = checkSettings({
    host: "127.0.0.1",
    port,
    dialect: "iso87-ascii",
    acquirerId: "123456",
    merchantId: "MERCHANT0000001",
    terminalId: "TERM0001",
    merchantCategoryCode: "5999",
    nameLocation: "Test shop Sydney AU",
    responseSeconds: 1,
    ...changes,
  });
  if ("problems" in checked) throw new Error(checked.problems.join("; "));
  return checked.settings;
}

let stan = 0;
const nextTrace = () => {
  stan += 1;
  return traceOf(stan, instant(Date.now()), "Australia/Sydney");
};

export type TestLink = {
  readonly link: Link;
  readonly unmatched: IsoMessage[];
  readonly unreadable: string[];
  readonly refused: IsoMessage[];
  readonly states: string[];
};

/** A link without a database behind it. */
export async function openTestLink(settings: Iso8583Settings): Promise<TestLink> {
  const opened = await openDialect(settings.dialect);
  if ("problems" in opened) throw new Error(opened.problems.join("; "));
  const unmatched: IsoMessage[] = [];
  const unreadable: string[] = [];
  const refused: IsoMessage[] = [];
  const states: string[] = [];
  const link = createLink({
    settings,
    dialect: opened.dialect,
    nextTrace: async () => nextTrace(),
    events: {
      onUnmatched: (message) => unmatched.push(message),
      onUnreadable: (reason) => unreadable.push(reason),
      onRefused: (message) => refused.push(message),
      onState: (state) => states.push(state),
    },
  });
  return { link, unmatched, unreadable, refused, states };
}

export function purchase(settings: Iso8583Settings, changes: Partial<RequestInput> = {}): IsoMessage {
  return buildRequest(settings, nextTrace(), {
    kind: "purchase",
    amount: cents(1_000),
    surcharge: cents(0),
    currency: "AUD",
    origin: "internet",
    card: { number: "4111111111111111", expiryMonth: 3, expiryYear: 2029 },
    privateData: { CV: "123", SC: "C" },
    ...changes,
  });
}

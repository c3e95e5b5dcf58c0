import type { Fields, IsoMessage } from "../../../src/connectors/iso8583/dialect.ts";

/** What the host has on record for one request. Amounts are what the host would settle. */
export type HostEntry = {
  readonly type: string;
  readonly code: string;
  readonly stan: string;
  readonly transmitted: string;
  readonly terminal: string;
  readonly retrieval: string;
  readonly currency: string;
  readonly requested: number;
  readonly response: string;
  /** Authorised or paid, before reversals. */
  readonly approved: number;
  readonly captured: number;
  readonly isReversed: boolean;
  readonly authorisation: string;
};

export type HostRules = {
  /** The response code of a reversal whose original the host has not seen. */
  readonly unseen: string;
  /** The response code of a sign-on. */
  readonly signOn: string;
  /** The response code of an echo. */
  readonly echo?: string;
  /** The response code of an advice that the host has already. Absent: it is answered as the first copy was. */
  readonly repeated?: string;
};

/** Of a request or a completion of this amount the host does only the part. */
const PARTIAL = 14_410;
const PART = 7_205;

/** The host's decisions and its ledger. A repeat of a request is answered as the request was. */
export function createHostLedger(rules: HostRules) {
  const entries = new Map<string, HostEntry>();
  const completions = new Map<string, Fields>();
  const reversals = new Set<string>();
  let authorisations = 0;

  function request({ type, fields }: IsoMessage): Fields {
    const key = keyOf(fields[11], fields[7]);
    const known = entries.get(key) ?? decide(type, fields);
    entries.set(key, known);
    const { response, approved, requested, authorisation } = known;
    const isApproved = authorisation !== "";
    return {
      39: response,
      ...(isApproved ? { 38: authorisation } : {}),
      ...(approved !== requested && isApproved ? { 4: String(approved) } : {}),
      48: `NT015${`N${fields[37] ?? ""}`.padEnd(15, "0")}CR001M`,
    };
  }

  function decide(type: string, fields: Fields): HostEntry {
    const requested = Number(fields[4]);
    const scenario = requested >= 14_400 && requested <= 14_499 ? String(requested).slice(3) : "00";
    const isApproved = ["00", "08", "10", "11", "16"].includes(scenario);
    const approved = isApproved ? (requested === PARTIAL ? PART : requested) : 0;
    authorisations += 1;
    return {
      type,
      code: fields[3] ?? "",
      stan: fields[11] ?? "",
      transmitted: fields[7] ?? "",
      terminal: (fields[41] ?? "").trim(),
      retrieval: fields[37] ?? "",
      currency: fields[49] ?? "",
      requested,
      response: scenario,
      approved,
      captured: type === "0200" ? approved : 0,
      isReversed: false,
      authorisation: isApproved ? String(authorisations % 1_000_000).padStart(6, "0") : "",
    };
  }

  function complete(fields: Fields): Fields {
    const original = originalOf(fields);
    const own = keyOf(fields[11], fields[7]);
    const done = completions.get(own);
    if (done !== undefined) return rules.repeated === undefined ? done : { 39: rules.repeated };
    const amount = Number(fields[4]);
    const entry = original === undefined ? undefined : entries.get(original);
    const refused =
      entry === undefined ? "25" : entry.isReversed || entry.captured + amount > entry.approved ? "12" : "";
    const captured = amount === PARTIAL ? PART : amount;
    const answer: Fields =
      refused !== "" ? { 39: refused } : captured < amount ? { 39: "10", 4: String(captured) } : { 39: "00" };
    completions.set(own, answer);
    if (entry !== undefined && original !== undefined && refused === "") {
      entries.set(original, { ...entry, captured: entry.captured + captured });
    }
    return answer;
  }

  function reverse(fields: Fields): Fields {
    const own = keyOf(fields[11], fields[7]);
    if (rules.repeated !== undefined && reversals.has(own)) return { 39: rules.repeated };
    reversals.add(own);
    const original = originalOf(fields);
    const entry = original === undefined ? undefined : entries.get(original);
    if (entry === undefined || original === undefined) return { 39: rules.unseen };
    entries.set(original, { ...entry, isReversed: true });
    return { 39: "00" };
  }

  return {
    /** Records a message and returns its answer; undefined for what no host answers. */
    answer: (message: IsoMessage): IsoMessage | undefined => {
      const { type, fields } = message;
      const own = {
        3: fields[3],
        4: fields[4],
        7: fields[7],
        11: fields[11],
        12: fields[12],
        13: fields[13],
      };
      const back = { ...own, 32: fields[32], 37: fields[37], 41: fields[41], 42: fields[42], 49: fields[49] };
      const echoed = Object.fromEntries(
        Object.entries({ ...back, 70: fields[70] }).filter(([, value]) => value !== undefined),
      ) as Fields;
      if (type === "0800") {
        const codes = new Map([
          ["001", rules.signOn],
          ["301", rules.echo],
        ]);
        return { type: "0810", fields: { ...echoed, 39: codes.get(fields[70] ?? "") ?? "00" } };
      }
      if (type === "0100" || type === "0200") {
        return { type: type === "0100" ? "0110" : "0210", fields: { ...echoed, ...request(message) } };
      }
      if (type === "0220" || type === "0221") {
        return { type: "0230", fields: { ...echoed, ...complete(fields) } };
      }
      if (type === "0420" || type === "0421") {
        return { type: "0430", fields: { ...echoed, ...reverse(fields) } };
      }
      return undefined;
    },
    entries: (): readonly HostEntry[] => [...entries.values()],
  };
}

/** What the host would pay out for an entry: positive for purchases, negative for refunds. */
export function netOf(entry: HostEntry): number {
  const amount = entry.isReversed ? 0 : entry.captured;
  return entry.code.startsWith("20") && amount > 0 ? -amount : amount;
}

/** What the host has approved and not reversed: what it holds, and what it has taken or returned. */
export function standingOf({ isReversed, approved }: HostEntry): number {
  return isReversed ? 0 : approved;
}

function keyOf(stan: string | undefined, transmitted: string | undefined): string {
  return `${stan} ${transmitted}`;
}

function originalOf(fields: Fields): string | undefined {
  const data = fields[90];
  return data && keyOf(data.slice(4, 10), data.slice(10, 20));
}

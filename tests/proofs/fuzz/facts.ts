import { startClaims } from "./claims.ts";
import type { Body, FuzzRequest } from "./fuzz-request.ts";

/** Which parameter of a path an id belongs into, by the id's prefix. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  pr: ["paymentRequestId"],
  txn: ["transactionId", "transactionOrRefundId"],
  rfd: ["refundId", "transactionOrRefundId"],
  cus: ["customerId"],
  pi: ["paymentInstrumentId"],
  whk: ["webhookId"],
  evt: ["eventId"],
  dsp: ["disputeId"],
  po: ["payoutId"],
};
const MOST_IDS = 200;
/** Two clocks are compared, and an answer takes its time. */
const SLACK = 5_000;
const YEAR_OF_SECONDS = 366 * 24 * 60 * 60;

export type Instrument = {
  readonly id: string;
  readonly customerId: string;
  readonly type: string;
  readonly bankAccount?: { readonly bsb?: string };
  readonly card?: { readonly cardType: string };
};

/** Between which moments the merchant's clock stood while a request was served. */
type Moments = { readonly earliest: number; readonly latest: number };

/** What may have decided about a request while it was served. */
export type Served = {
  readonly moments: Moments;
  /** Names that it claims or reads, and that another request may have held. */
  readonly contested: ReadonlySet<string>;
  /** What it names, as answers had shown it before the request was sent. */
  readonly before: ReadonlyMap<string, Body | undefined>;
};

/** What answers have said. The generator takes real ids from here, and the model knows by it what is unknown. */
export type Facts = {
  /** Some ids of each parameter of a path. */
  readonly ids: ReadonlyMap<string, readonly string[]>;
  /** Parameters that belong together: the customer of an instrument, the transaction of a refund. */
  readonly pairs: ReadonlyMap<string, readonly Readonly<Record<string, string>>[]>;
  /** Cursors by the operation that answered them. */
  readonly cursors: ReadonlyMap<string, readonly Cursor[]>;
  readonly payIds: readonly string[];
  readonly isKnown: (id: string) => boolean;
  /** The resource as an answer last showed it. */
  readonly storedAs: (id: string) => Body | undefined;
  readonly instrumentOf: (id: string) => Instrument | undefined;
  /** Whether a request to delete it was sent. */
  readonly isDeleting: (id: string) => boolean;
  readonly now: () => number;
  /** To be called before a request is sent; returns what to call with its answer. */
  readonly sending: (request: FuzzRequest) => (answer: Answered) => Served;
  /** Notes every resource in an answer. */
  readonly note: (answer: unknown) => void;
};

export type Cursor = { readonly text: string; readonly isByUpdate: boolean };
type Answered = { readonly status: number; readonly body: unknown };

export function startFacts(below: (limit: number) => number): Facts {
  const ids = new Map<string, string[]>();
  const pairs = new Map<string, Readonly<Record<string, string>>[]>();
  const cursors = new Map<string, Cursor[]>();
  const payIds: string[] = [];
  const seen = new Set<string>();
  const instruments = new Map<string, Instrument>();
  const deleting = new Set<string>();
  const stored = new Map<string, Body>();
  const clock = startClock();
  const claims = startClaims();

  const keep = <Item>(list: Item[], item: Item) => {
    if (list.length >= MOST_IDS) list.splice(below(MOST_IDS), 1);
    list.push(item);
  };
  const noteId = (id: unknown) => {
    if (typeof id !== "string") return;
    const places = PLACES[id.slice(0, id.indexOf("_"))] ?? [];
    // Only what is new: a list that names old ones again makes them no more recent.
    if (places.length === 0 || seen.has(id)) return;
    seen.add(id);
    for (const place of places) keep(listIn(ids, place), id);
  };
  const noteResource = (one: Readonly<Record<string, unknown>>) => {
    const { id, customerId, transactionId, type, email } = one;
    const isNew = typeof id === "string" && !seen.has(id);
    noteId(id);
    if (typeof email === "string" && email.includes("@payid.")) keep(payIds, email);
    if (typeof id !== "string") return;
    if (id.startsWith("pi_") && typeof customerId === "string" && typeof type === "string") {
      if (!instruments.has(id))
        keep(listIn(pairs, "paymentInstrumentId"), { customerId, paymentInstrumentId: id });
      instruments.set(id, one as unknown as Instrument);
    }
    if (isNew && id.startsWith("rfd_") && typeof transactionId === "string")
      keep(listIn(pairs, "refundId"), { transactionId, refundId: id });
  };
  const noteAll = (value: unknown, isOld = false): void => {
    if (typeof value !== "object" || value === null) return;
    if (!Array.isArray(value)) noteResource(value as Readonly<Record<string, unknown>>);
    const { id, createdDateTime } = value as Body;
    if (!isOld && createdDateTime !== undefined) stored.set(id, value);
    // An event shows its resource as it was.
    for (const [name, inner] of Object.entries(value)) noteAll(inner, isOld || name === "payload");
  };
  return {
    ids,
    pairs,
    cursors,
    payIds,
    isKnown: (id) => seen.has(id),
    storedAs: (id) => stored.get(id),
    instrumentOf: (id) => instruments.get(id),
    isDeleting: (id) => deleting.has(id),
    now: clock.now,
    note: (answer) => noteAll(answer),
    sending: (request) => {
      if (request.method === "DELETE") deleting.add(Object.values(request.params).at(-1) ?? "");
      const before = new Map(namesIn(request).map((id) => [id, stored.get(id)]));
      const served = clock.sending(request);
      const claimed = claims.sending(request);
      return (answer) => {
        // A ping has an id of its own, and is not stored.
        if (answer.status < 300 && request.operationId !== "testWebhook") noteAll(answer.body);
        const { nextCursor } = Object(answer.body) as { readonly nextCursor?: unknown };
        if (typeof nextCursor === "string")
          keep(listIn(cursors, request.operationId), { text: nextCursor, isByUpdate: isByUpdate(request) });
        const { event } = stored.get(request.params["webhookId"] ?? "") ?? {};
        const contested = claimed(answer.status < 300);
        if (request.operationId === "deleteWebhook" && answer.status === 200) claims.free(event);
        return { moments: served(answer), contested, before };
      };
    },
  };
}

/** The resources of its path, and the payment request of a token. */
function namesIn({ params, body }: Pick<FuzzRequest, "params" | "body">): readonly string[] {
  const { paymentRequestId } = Object(body) as Body;
  return [...Object.values(params), ...(typeof paymentRequestId === "string" ? [paymentRequestId] : [])];
}

/** A cursor of a list by changes does not fit one by creation. */
export function isByUpdate({ query }: Pick<FuzzRequest, "query">): boolean {
  return query.some(([name]) => /^updated(?:from|to)$/i.test(name));
}

/** The merchant's clock, which `advanceSandboxClock` moves ahead: what was asked for may have happened already. */
function startClock() {
  let offset = 0;
  let asked = 0;
  const now = () => Date.now() + offset;
  return {
    now,
    sending: ({ operationId, body }: FuzzRequest) => {
      const earliest = now() - SLACK;
      const { seconds } = Object(body) as { readonly seconds?: unknown };
      // More is refused.
      const isPossible = typeof seconds === "number" && seconds > 0 && seconds <= YEAR_OF_SECONDS;
      const ahead = operationId === "advanceSandboxClock" && isPossible ? seconds * 1_000 : 0;
      asked += ahead;
      return ({ status, body: answered }: Answered): Moments => {
        const latest = now() + asked + SLACK;
        asked -= ahead;
        const { currentDateTime } = Object(answered) as { readonly currentDateTime?: string };
        if (status === 200 && currentDateTime !== undefined)
          offset = Math.max(offset, Date.parse(currentDateTime) - Date.now());
        return { earliest, latest };
      };
    },
  };
}

function listIn<Item>(lists: Map<string, Item[]>, name: string): Item[] {
  const list = lists.get(name) ?? [];
  lists.set(name, list);
  return list;
}

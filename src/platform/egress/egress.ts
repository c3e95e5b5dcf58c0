import type { Dispatcher } from "undici";
import { defined } from "../../kernel/defined.ts";
import { REACHES, type Reach } from "./address.ts";
import { isHostAllowed, portOf, urlProblem } from "./check-url.ts";
import { Agent, buildConnector } from "./connections.ts";
import { type FailureReason, isOurs, reasonByRoutes } from "./failure.ts";
import { AddressRefused, guardedLookup, resolvesInside } from "./guarded-lookup.ts";
import { type HasRoute, hasRoute } from "./has-route.ts";
import { createResolver, type Resolve } from "./resolve-name.ts";

export type Outgoing = {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly reach: Reach;
  /** For the complete exchange, from the look-up of the name to the last byte of the answer. */
  readonly withinMs: number;
  /** How many bytes of the answer are read; 16 KiB unless set. */
  readonly atMost?: number;
};

/** What came of it. `isCut`: the answer was too long or took too long, and its status was all that we waited for. */
export type Exchange =
  | {
      readonly outcome: "answered";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Uint8Array;
      readonly isCut: boolean;
      /** It was cut because the time was over. */
      readonly isLate: boolean;
      readonly latencyMs: number;
    }
  | {
      readonly outcome: "failed";
      readonly reason: FailureReason;
      /** The cause is this machine or its network. */
      readonly isOurs: boolean;
      readonly latencyMs: number;
    };

/** HTTP to URLs that merchants registered. No other code of the gateway calls such a URL. */
export type Egress = {
  readonly send: (outgoing: Outgoing) => Promise<Exchange>;
  /** True when the URL's host is a name that points, right now, to where we do not call. */
  readonly pointsInside: (url: string, reach: Reach) => Promise<boolean>;
  readonly close: () => Promise<void>;
};

/** At most so much of an answer is read, unless the request says more. */
const ANSWER_AT_MOST = 16 * 1024;

/** Shorter than servers keep idle connections (gunicorn 2 s, Node 5 s): one that we use is one that they still have. */
const IDLE_MS = 1_500;

/** A caller who registers a URL waits no longer than this for its look-up. */
const LOOK_UP_MS = 2_000;

/** A connection that no exchange waits for any more is given up after this. */
const CONNECT_MS = 10_000;

/** Whom we trust beyond the usual, and the certificate that we show. */
export type Trust = {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
};

export function createEgress(
  resolve: Resolve = createResolver(),
  trust: Trust = {},
  isRouted: HasRoute = hasRoute,
): Egress {
  const agents = Object.fromEntries(
    REACHES.map((reach) => [reach, newAgent(resolve, reach, trust)]),
  ) as Readonly<Record<Reach, Agent>>;
  return {
    send: async (outgoing) => exchange(agents[outgoing.reach], outgoing, isRouted),
    pointsInside: async (text, reach) => {
      const url = URL.parse(text);
      if (url === null || !isHostAllowed(url.hostname, reach)) return true;
      const late = new Promise<false>((answer) => setTimeout(() => answer(false), LOOK_UP_MS).unref());
      return Promise.race([resolvesInside(resolve, url.hostname.replace(/^\[|\]$/g, ""), reach), late]);
    },
    close: async () => {
      await Promise.all(Object.values(agents).map((agent) => agent.destroy()));
    },
  };
}

function newAgent(resolve: Resolve, reach: Reach, trust: Trust): Agent {
  const dial = buildConnector({
    lookup: guardedLookup(resolve, reach),
    ...trust,
    allowH2: false,
    autoSelectFamily: true,
    timeout: CONNECT_MS,
  });
  return new Agent({
    // The time limit covers the complete exchange: limits per part never end an answer that drips.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    pipelining: 1,
    allowH2: false,
    connect: (options, callback) => {
      // No name is looked up for an address, so addresses are checked here.
      if (isHostAllowed(options.hostname, reach)) dial(options, callback);
      else callback(new AddressRefused(options.hostname), null);
    },
  });
}

type Answered = { status: number; headers: Record<string, string>; chunks: Buffer[]; size: number };

async function exchange(agent: Agent, outgoing: Outgoing, isRouted: HasRoute): Promise<Exchange> {
  const started = performance.now();
  const latency = () => Math.round(performance.now() - started);
  const failed = (reason: FailureReason): Exchange => ({
    outcome: "failed",
    reason,
    isOurs: isOurs(reason),
    latencyMs: latency(),
  });
  const { atMost = ANSWER_AT_MOST } = outgoing;
  const url = URL.parse(outgoing.url);
  if (url === null || urlProblem(outgoing.url, outgoing.reach) !== undefined)
    return failed("address_refused");

  return new Promise((resolve) => {
    let answer: Answered | undefined;
    let connection: Dispatcher.DispatchController | undefined;
    let over = false;
    const finish = (result: Exchange) => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      resolve(result);
    };
    const settle = (reason?: FailureReason) => {
      if (answer === undefined) return finish(failed(reason ?? "connection_failed"));
      const { status, headers, chunks } = answer;
      finish({
        outcome: "answered",
        status,
        headers,
        body: Buffer.concat(chunks),
        isCut: reason !== undefined,
        isLate: reason === "timeout",
        latencyMs: latency(),
      });
    };
    const leave = (reason: FailureReason) => {
      settle(reason);
      connection?.abort(new Error("the exchange is over"));
    };
    const timer = setTimeout(() => leave("timeout"), outgoing.withinMs);

    agent.dispatch(
      {
        origin: `${url.protocol}//${url.hostname}:${portOf(url)}`,
        path: url.pathname + url.search,
        method: outgoing.method,
        headers: { host: url.host, ...outgoing.headers },
        ...defined({ body: outgoing.body }),
      },
      {
        onRequestStart: (controller) => {
          connection = controller;
          if (over) controller.abort(new Error("the exchange is over"));
        },
        onResponseStart: (_controller, status, headers) => {
          // 1xx comes before the answer.
          if (status >= 200) answer = { status, headers: plainHeaders(headers), chunks: [], size: 0 };
        },
        onResponseData: (_controller, chunk) => {
          if (answer === undefined) return;
          const room = Math.max(0, atMost - answer.size);
          answer.chunks.push(Buffer.from(chunk.subarray(0, room)));
          answer.size += chunk.length;
          if (answer.size > atMost) leave("answer_malformed");
        },
        onResponseEnd: () => afterRelease(() => settle()),
        onResponseError: (_controller, error) => void reasonByRoutes(error, isRouted).then(settle),
      },
    );
  });
}

/**
 * The connection is free one turn of the event loop after the answer's end. A request that is sent
 * sooner opens another connection, with its handshakes.
 */
function afterRelease(done: () => void): void {
  queueMicrotask(() => setImmediate(done));
}

function plainHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(", ") : value]],
    ),
  );
}

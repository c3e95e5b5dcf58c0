import type { AddressInfo } from "node:net";
import { connect, createServer, type NetConnectOpts, type Socket } from "node:net";

/** A network between gateways and their database that the test breaks. */
export type DatabaseProxy = {
  /** The database's URL, through the proxy. */
  readonly url: string;
  /** From now on each commit's answer is lost with that probability: the server has committed, the gateway cannot know. */
  readonly loseCommits: (probability: number) => void;
  /** How many answers were lost so far. */
  readonly lost: () => number;
  /** `refuse`: nothing listens, every connection is cut. `hang`: packets vanish until `pass`. */
  readonly set: (state: "pass" | "refuse" | "hang") => void;
  /** When connections were refused, by `performance.now()`. */
  readonly refusals: () => readonly number[];
  /** Cuts every connection; new ones go to the server at that URL. */
  readonly moveTo: (url: string) => void;
  /** The highest number of prepared statements of one open connection. */
  readonly preparedStatements: () => number;
  readonly openConnections: () => number;
  readonly close: () => Promise<void>;
};

type Pair = { readonly near: Socket; readonly far: Socket; readonly prepared: Set<string> };

export async function startDatabaseProxy(url: string, random: () => number): Promise<DatabaseProxy> {
  let target = new URL(url);
  const pairs = new Set<Pair>();
  let state: "pass" | "refuse" | "hang" = "pass";
  let losing = 0;
  let lost = 0;
  const refusals: number[] = [];

  const server = createServer((near) => {
    near.on("error", () => {});
    if (state === "refuse") {
      refusals.push(performance.now());
      near.destroy();
      return;
    }
    const far = connect(placeOf(target));
    const pair: Pair = { near, far, prepared: new Set() };
    pairs.add(pair);
    const end = () => {
      near.destroy();
      far.destroy();
      pairs.delete(pair);
    };
    for (const socket of [near, far]) socket.on("error", end).on("close", end).setNoDelay(true);
    const watchStatements = notePrepared(pair.prepared);
    const isLost = findCommits(() => losing > 0 && random() < losing);
    near.on("data", (bytes) => {
      watchStatements(bytes);
      far.write(bytes);
    });
    far.on("data", (bytes) => {
      if (isLost(bytes)) {
        lost += 1;
        end();
      } else near.write(bytes);
    });
    if (state === "hang") pauseBoth(pair);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const through = new URL(`postgres://127.0.0.1${target.pathname}`);
  through.username = target.username;
  through.password = target.password;
  through.port = String((server.address() as AddressInfo).port);
  const cutAll = () => {
    for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy();
  };
  return {
    url: through.href,
    loseCommits: (probability) => {
      losing = probability;
    },
    lost: () => lost,
    set: (next) => {
      state = next;
      if (next === "refuse") cutAll();
      for (const pair of pairs) {
        if (next === "hang") pauseBoth(pair);
        else for (const socket of [pair.near, pair.far]) socket.resume();
      }
    },
    refusals: () => refusals,
    moveTo: (next) => {
      target = new URL(next);
      cutAll();
    },
    preparedStatements: () => Math.max(0, ...[...pairs].map(({ prepared }) => prepared.size)),
    openConnections: () => pairs.size,
    close: async () => {
      cutAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pauseBoth({ near, far }: Pair): void {
  for (const socket of [near, far]) socket.pause();
}

/** A Unix socket's folder is the percent-encoded host. */
function placeOf({ hostname, port }: URL): NetConnectOpts {
  const host = decodeURIComponent(hostname);
  if (host.startsWith("/")) return { path: `${host}/.s.PGSQL.${port}` };
  return { host, port: Number(port) };
}

/** Calls back with each message of PostgreSQL's protocol: a type of one byte, a length, a body. */
function splitMessages(each: (type: string, body: Buffer) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= 5) {
      const end = 1 + rest.readInt32BE(1);
      if (rest.length < end) return;
      each(String.fromCharCode(rest[0] ?? 0), rest.subarray(5, end));
      rest = rest.subarray(end);
    }
  };
}

/** Whether these bytes of the server end a transaction whose answer is to be lost. */
function findCommits(isChosen: () => boolean): (bytes: Buffer) => boolean {
  let found = false;
  let changes = false;
  const read = splitMessages((type, body) => {
    // The server has committed before it says that it is ready and in no transaction.
    if (type === "C") changes ||= /^(?:COMMIT|INSERT|UPDATE|DELETE|SELECT)/.test(body.toString("latin1"));
    if (type !== "Z") return;
    if (changes && body.toString("latin1") === "I" && isChosen()) found = true;
    changes = false;
  });
  return (bytes) => {
    read(bytes);
    return found;
  };
}

/** Notes which statements a client has prepared and not closed. */
function notePrepared(prepared: Set<string>): (bytes: Buffer) => void {
  const nameIn = (body: Buffer, from: number) => body.subarray(from, body.indexOf(0, from)).toString("utf8");
  let isStarted = false;
  const read = splitMessages((type, body) => {
    if (type === "P" && nameIn(body, 0) !== "") prepared.add(nameIn(body, 0));
    if (type === "C" && body[0] === "S".charCodeAt(0)) prepared.delete(nameIn(body, 1));
  });
  return (bytes) => {
    // The first message has no type.
    if (isStarted) return read(bytes);
    isStarted = true;
    return read(bytes.subarray(bytes.readInt32BE(0)));
  };
}

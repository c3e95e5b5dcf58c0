import type { AddressInfo } from "node:net";
import { connect, createServer, type NetConnectOpts, type Socket } from "node:net";
import { followConversation } from "./database-protocol.ts";

/** A network between gateways and their database that the test breaks. */
export type DatabaseProxy = {
  /** The database's URL, through the proxy. */
  readonly url: string;
  /**
   * From now on each commit's answer is lost with that probability: the server has committed, the gateway cannot know.
   * Reads, and statements that changed no row, are no commits.
   */
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

type Pair = { readonly near: Socket; readonly far: Socket; readonly prepared: () => number };

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
    const { onClient, onServer, prepared } = followConversation();
    const pair: Pair = { near, far, prepared };
    pairs.add(pair);
    const end = () => {
      near.destroy();
      far.destroy();
      pairs.delete(pair);
    };
    for (const socket of [near, far]) socket.on("error", end).on("close", end).setNoDelay(true);
    const isChosen = () => losing > 0 && random() < losing;
    near.on("data", (bytes) => {
      onClient(bytes);
      far.write(bytes);
    });
    far.on("data", (bytes) => {
      if (onServer(bytes) > 0 && isChosen()) {
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
    preparedStatements: () => Math.max(0, ...[...pairs].map(({ prepared }) => prepared())),
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

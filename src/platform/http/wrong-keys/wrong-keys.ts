import { Refusal } from "../../../kernel/refusal.ts";
import type { Context } from "../../context.ts";
import { hashSecret } from "../../crypto/secrets.ts";
import { networkOf } from "../network-of.ts";
import { createRateLimiter } from "../rate-limit.ts";
import { addWrongKeys, PER_SECOND } from "./queries.ts";

/** Together with `PER_SECOND`: enough for a script that runs with an old key for a while, far too few to guess one. */
const IN_A_BURST = 200;

/** A node reports so many of one network together: all nodes answer at most a portion more for each further node. */
const PORTION = 20;
/** From this node, whatever the number of networks: guesses must not become as many writes. */
const REPORTS_PER_SECOND = 10;
const NETWORKS_AT_MOST = 10_000;

/** Counts one more wrong API key from an address, and refuses with 429 when there were too many. */
export type CountWrongKey = (address: string) => Promise<void>;

type Network = { unreported: number; refusedUntil: number; report: Promise<void> | undefined };

/**
 * By network, on all nodes together: a node counts in memory and adds its count to the database portion by portion. A right
 * key is served all the same: the key is looked at first. Without a database the limit holds for each node alone.
 */
export function createWrongKeyCounter({ db, log, now }: Pick<Context, "db" | "log" | "now">): CountWrongKey {
  const limiter = createRateLimiter(PER_SECOND, now, IN_A_BURST);
  const reports = createRateLimiter(REPORTS_PER_SECOND, now);
  const networks = new Map<string, Network>();

  function networkAt(name: string): Network {
    const known = networks.get(name);
    if (known !== undefined) return known;
    const [oldest] = networks.keys();
    if (networks.size >= NETWORKS_AT_MOST && oldest !== undefined) networks.delete(oldest);
    const network = { unreported: 0, refusedUntil: 0, report: undefined };
    networks.set(name, network);
    return network;
  }

  async function report(name: string, network: Network): Promise<void> {
    const count = network.unreported;
    network.unreported = 0;
    try {
      const level = await addWrongKeys(db, { subject: hashSecret(`address ${name}`), count }, now());
      if (level >= IN_A_BURST) network.refusedUntil = now() + (1_000 * (level - IN_A_BURST + 1)) / PER_SECOND;
    } catch (error) {
      log.warn({ error }, "wrong API keys not counted for other nodes: the database is unavailable");
    }
    network.report = undefined;
  }

  return async (address) => {
    const name = networkOf(address);
    const network = networkAt(name);
    // Guesses that are made at once wait for what the other nodes have seen.
    await network.report;
    if (network.refusedUntil > now()) refuseFor(network.refusedUntil - now());
    const { isAllowed, reset } = limiter.take(name);
    if (!isAllowed) refuseFor(reset * 1_000);
    network.unreported += 1;
    if (network.unreported < PORTION || !reports.take("").isAllowed) return;
    network.report = report(name, network);
    await network.report;
  };
}

function refuseFor(wait: number): never {
  throw new Refusal([{ code: "header_api_key_throttled", wait, perSecond: PER_SECOND }]);
}

import { CITUS_URL } from "./citus.ts";
import { cloneDatabase, type TestDatabase } from "./database.ts";
import { type DatabaseProxy, startDatabaseProxy } from "./database-proxy.ts";

/** A worker of a cluster, and the network between it and the other servers. */
export type ClusterWorker = {
  readonly proxy: DatabaseProxy;
  readonly serves: (merchantId: string) => Promise<boolean>;
};

export type DatabaseBehindProxies = {
  readonly database: TestDatabase;
  readonly workers: readonly ClusterWorker[];
  readonly drop: () => Promise<void>;
};

/** Proxies of the test are at this address, so all servers have to be on this machine. */
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])$/;

/** Why no test can cut a worker off; false where it can. */
export const cannotCut: string | false =
  CITUS_URL === undefined
    ? "TIDEGATE_TEST_CITUS_URL names no Citus cluster"
    : !LOOPBACK.test(new URL(CITUS_URL).hostname) &&
      "the servers of TIDEGATE_TEST_CITUS_URL are on other machines: they can't reach a proxy of the tests";

type Node = { readonly id: number; readonly host: string; readonly port: number };

/**
 * A distributed database whose servers reach each worker through a proxy. Its cluster stays as it is: which servers there are
 * is on record in each database.
 */
export async function cloneBehindProxies(): Promise<DatabaseBehindProxies> {
  const database = await cloneDatabase();
  const nodes = await database.rows<Node>(
    "select nodeid as id, nodename as host, nodeport as port from pg_dist_node where shouldhaveshards order by 1",
  );
  const workers: ClusterWorker[] = [];
  for (const { id, host, port } of nodes) {
    const url = new URL(database.url);
    [url.hostname, url.port] = [host, String(port)];
    const proxy = await startDatabaseProxy(url.href, () => 1);
    // Not by `citus_update_node`: in Citus 13.2.2 a call has crashed the coordinator. Only the coordinator asks the workers.
    await database.rows("update pg_dist_node set nodename = '127.0.0.1', nodeport = $2 where nodeid = $1", [
      id,
      Number(new URL(proxy.url).port),
    ]);
    const serves = async (merchantId: string) => {
      const rows = await database.rows(
        `select from pg_dist_shard_placement p join pg_dist_node n on n.nodename = p.nodename and n.nodeport = p.nodeport
         where n.nodeid = $1 and p.shardid = get_shard_id_for_distribution_column('payment_requests', $2::text)`,
        [id, merchantId],
      );
      return rows.length === 1;
    };
    workers.push({ proxy, serves });
  }
  return {
    database,
    workers,
    drop: async () => {
      await database.drop();
      await Promise.all(workers.map(({ proxy }) => proxy.close()));
    },
  };
}

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { operatorMessage } from "../../src/app/operator-message.ts";
import { examine } from "../../src/cli/doctor/examine.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { callsTo, TEST_VAULT_KEY } from "../support/calls.ts";
import { payOnce } from "../support/checkout.ts";
import type { TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { proveUnderLoad } from "../support/fault-run.ts";
import { startTestGateway, TEST_KEY, type TestGateway } from "../support/gateway.ts";
import { type GatewayProcess, startGatewayProcess } from "../support/gateway-process.ts";
import { blocksOf } from "../support/guide-blocks.ts";
import { openMerchants } from "../support/mixed-load.ts";
import { PGBOUNCER_SKIPPED, type PgBouncer, startPgBouncer } from "../support/pgbouncer.ts";
import { declareProof, proofSeed, sized } from "../support/proof.ts";
import { seeded } from "../support/random.ts";
import {
  createOne,
  databaseAt,
  queryAt,
  REPLICA_SKIPPED,
  type ReplicatedServers,
  readNewest,
  startReplicatedServers,
} from "../support/replica.ts";
import { CHECKOUT } from "../support/request-bodies.ts";
import { SOUND } from "../support/settle.ts";

/** What docs/guides/operating.md says of PgBouncer, on its own configuration. */
const BLOCKS = (await blocksOf("docs/guides/operating.md")).filter(
  ({ mark }) => mark?.note === "tests/interop/pgbouncer.test.ts",
);
const linesOfKind = (kind: string) =>
  BLOCKS.filter((block) => block.kind === kind).flatMap(({ text }) => text.trim().split("\n"));

const KILLS = sized(3, 20);
const PAYMENTS_BETWEEN = 12;
/** So many server connections are replaced while a lease is watched: more than the nodes' pools have. */
const RECYCLED = 20;

const proof = declareProof("kill -9 of nodes behind PgBouncer in transaction mode, under mixed load", SOUND);

describe("behind PgBouncer, as the guide configures it", {
  skip: PGBOUNCER_SKIPPED || REPLICA_SKIPPED,
}, () => {
  let servers: ReplicatedServers;
  let pooler: PgBouncer;
  let direct: TestDatabase;
  let settings: Record<string, string>;
  before(async () => {
    servers = await startReplicatedServers();
    direct = databaseAt(servers.primary.url);
    await migrate(direct.url);
    for (const line of linesOfKind("sql")) await queryAt(direct.url, line);
    pooler = await startPgBouncer(linesOfKind("ini"), [
      { name: "tidegate", url: servers.primary.url },
      { name: "standby", url: servers.replica.url },
      { name: "by_session", url: servers.primary.url, settings: "pool_mode=session" },
    ]);
    settings = {
      DATABASE_URL: pooler.urlOf("tidegate"),
      DATABASE_OWNER_URL: servers.primary.url,
      DATABASE_READ_URL: pooler.urlOf("standby"),
      TIDEGATE_PREPARED_STATEMENTS: "off",
    };
  });
  after(async () => {
    await pooler?.stop();
    await servers?.remove();
  });

  const startNode = () => startGatewayProcess(direct, undefined, settings);

  test(`${KILLS} kills of nodes under mixed load lose nothing, and everything settles`, async () => {
    const before = await pooler.recycled();
    await proveUnderLoad(
      proof,
      { random: seeded(proofSeed), database: direct, startNode, lanes: 3 },
      async ({ nodes, untilPaid, faultEnds }) => {
        for (let kill = 0; kill < KILLS; kill += 1) {
          await untilPaid(PAYMENTS_BETWEEN);
          await nodes.shift()?.kill();
          faultEnds();
          nodes.push(await startNode());
        }
        await untilPaid(PAYMENTS_BETWEEN);
      },
    );
    proof.count({ kills: KILLS });
    assert.ok((await pooler.recycled()) > before, "server connections are replaced meanwhile");
  });

  test("every list shows the request that was created before it, from the replica behind the pooler", async () => {
    const node = await startNode();
    try {
      const api = callsTo(node.shop.baseUrl);
      for (let turn = 0; turn < 20; turn += 1) assert.equal(await createOne(api), await readNewest(api));
      const metrics: string = (await api.get("/metrics")).body;
      assert.match(metrics, /^tidegate_replica_statements_total\{server="replica"\} [1-9]/m);
    } finally {
      await node.kill();
    }
  });

  test("no node takes the leases of another that lives, however often server connections are replaced", async () => {
    const first = await startNode();
    const nodes = [first];
    try {
      const [merchant = assert.fail()] = await openMerchants(direct, first.shop, 1);
      const { id, key, receiver } = merchant;
      const readHolder = async () => {
        const [lease] = await direct.rows<{ holder: string; session_pid: number | null }>(
          "select holder, session_pid from delivery_leases where merchant_id = $1",
          [id],
        );
        // Nothing of a session that is the pooler's.
        assert.equal(lease?.session_pid ?? null, null);
        return lease?.holder;
      };
      const createAt = async ({ shop }: GatewayProcess) => {
        const made = await callsTo(shop.baseUrl).post("/paymentrequests", CHECKOUT, { key });
        assert.equal(made.status, 200, JSON.stringify(made.body));
      };
      await createAt(first);
      await receiver.until(1);
      const holder = await readHolder();
      const second = await startNode();
      nodes.push(second);
      const seen = new Set([holder]);
      const enough = (await pooler.recycled()) + RECYCLED;
      await eventually("server connections are replaced", async () => {
        await createAt(second);
        seen.add(await readHolder());
        return (await pooler.recycled()) >= enough;
      });
      assert.deepEqual([...seen], [holder], "the node that lives has kept its lease");
      assert.deepEqual(
        receiver.received.filter(({ repeat }) => repeat > 0),
        [],
        "no event was sent twice",
      );

      await first.kill();
      await eventually("the other node takes the lease of a node that is gone", async () => {
        await createAt(second);
        return (await readHolder()) !== holder;
      });
    } finally {
      for (const node of nodes) await node.kill();
    }
  });

  const withStatements = (): Record<string, string> => ({ ...settings, TIDEGATE_PREPARED_STATEMENTS: "on" });
  const isAboutPooler = ({ check }: { readonly check: string }) => check === "pooler" || check === "replica";
  const examinePoolers = async (environment: Record<string, string>) =>
    (await examine({ ...environment, TIDEGATE_VAULT_KEY: TEST_VAULT_KEY })).filter(isAboutPooler);
  /** The line with which a start fails; undefined if it starts and takes a payment. */
  const startLine = async (environment: Record<string, string>) => {
    const database = { ...direct, url: environment["DATABASE_URL"] ?? "" };
    const gateway = await startTestGateway({ environment, database }).catch((error: unknown) => error);
    if (!(gateway instanceof Object && "stop" in gateway)) return operatorMessage(gateway) ?? assert.fail();
    const node = gateway as TestGateway;
    await payOnce({ ...node, key: TEST_KEY });
    await node.stop();
    return undefined;
  };

  test("a start with prepared statements is refused, and says what to set; the doctor says it, too", async () => {
    assert.match((await startLine(withStatements())) ?? "", /^TIDEGATE_PREPARED_STATEMENTS is on, .+ off/);
    const [finding] = await examinePoolers(withStatements());
    assert.equal(finding?.status, "fail");
    assert.equal(finding?.fix, "set TIDEGATE_PREPARED_STATEMENTS=off");
  });

  test("with them off, it starts and takes payments; the doctor has nothing to add", async () => {
    assert.equal(await startLine(settings), undefined);
    const found = await examinePoolers(settings);
    assert.deepEqual(
      found.map(({ check, status }) => `${check} ${status}`),
      ["pooler ok", "replica ok"],
    );
  });

  test("a server without a pooler, and one that lends sessions for as long as a connection lasts, keep them", async () => {
    const { DATABASE_READ_URL = "", ...others } = withStatements();
    for (const url of [servers.primary.url, pooler.urlOf("by_session")]) {
      assert.equal(await startLine({ ...others, DATABASE_URL: url }), undefined);
      assert.deepEqual(await examinePoolers({ ...others, DATABASE_URL: url }), []);
    }
    // Only the replica is behind a pooler.
    const [finding] = await examinePoolers({ ...others, DATABASE_URL: direct.url, DATABASE_READ_URL });
    assert.equal(finding?.status, "warn");
    assert.match(finding?.says ?? "", /^the pooler at DATABASE_READ_URL/);
  });

  test("a pooler that is not configured for the gateway is named", async () => {
    const bare = await startPgBouncer(
      ["pool_mode = transaction"],
      [{ name: "tidegate", url: servers.primary.url }],
    );
    try {
      const line = await startLine({ ...settings, DATABASE_URL: bare.urlOf("tidegate") });
      assert.match(line ?? "", /unsupported startup parameter.+set ignore_startup_parameters/);
    } finally {
      await bare.stop();
    }
  });
});

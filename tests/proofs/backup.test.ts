import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { TEST_VAULT_KEY } from "../support/calls.ts";
import { callApi, getRequest, ok, payOnce, type Shop } from "../support/checkout.ts";
import { TEST_KEY } from "../support/gateway.ts";
import { blocksOf } from "../support/guide-blocks.ts";
import { declareProof } from "../support/proof.ts";
import { type SpawnedGateway, spawnGateway } from "../support/spawned-gateway.ts";
import { chargeOf } from "../support/stored-cards.ts";
import { findSystemPostgres, startSystemPostgres } from "../support/system-postgres.ts";

const proof = declareProof("backups are restored by the commands of the guide", []);

const CLI = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
const GUIDE = "docs/guides/operating.md";

/** Finds a block of the guide that this test runs, by its first word. */
async function blockOf(program: string): Promise<string> {
  const all = (await blocksOf(GUIDE)).filter(({ mark }) => mark?.note === "tests/proofs/backup.test.ts");
  const block = all.find(({ text }) => text.startsWith(program)) ?? assert.fail(`${GUIDE} has no ${program}`);
  return block.text;
}

/** The guide's service of a database, with the address of another. */
async function serviceOf(name: string, url: string): Promise<string> {
  const { hostname, port, pathname, username } = new URL(url);
  const values = { host: hostname, port, dbname: pathname.slice(1), user: username, password: "any" };
  const block = (await blockOf("[tidegate]")).replace("[tidegate]", `[${name}]`);
  return block.replace(/^(\w+)=.*$/gm, (_, key: keyof typeof values) => `${key}=${values[key]}`);
}

async function run(block: string, cwd: string, env: Readonly<Record<string, string>>): Promise<string> {
  const script = `set -euo pipefail; npx() { shift; "$NODE" "$CLI" "$@"; }\n${block}`;
  const path = `${env["PROGRAMS"] ?? "."}:${process.env["PATH"]}`;
  const { stdout } = await promisify(execFile)("bash", ["-c", script], {
    cwd,
    env: { ...env, PATH: path, NODE: process.execPath, CLI, HOME: cwd },
  });
  return stdout;
}

const shopAt = ({ baseUrl, hostedUrl }: SpawnedGateway): Shop => ({ baseUrl, hostedUrl, key: TEST_KEY });

async function stop(gateway: SpawnedGateway): Promise<void> {
  gateway.signal("SIGTERM");
  await gateway.exit;
}

/** Makes a payment whose card is stored. */
async function storeCard(shop: Shop) {
  const customerRequest = { paymentInstrument: "create", name: "Mere Tui" };
  const { requestId } = await payOnce(shop, { customerRequest }, { consent: true });
  const { customerResult } = await getRequest(shop, requestId);
  return {
    requestId,
    stored: { id: customerResult.id, paymentInstrumentId: customerResult.paymentInstrumentId },
  };
}

describe("docs/guides/operating.md: a backup can be restored", () => {
  test("a restored dump of an external server has its payments, and stored cards can be charged", async (t) => {
    const programs = findSystemPostgres();
    if (programs === undefined) {
      t.skip(proof.skip("no PostgreSQL with pg_dump on this machine (apt-get install postgresql)"));
      return;
    }
    const folder = await mkdtemp(join(tmpdir(), "tidegate-backup-"));
    const server = await startSystemPostgres(programs, ["first", "restored"]);
    try {
      const env = {
        PROGRAMS: programs,
        DATABASE_URL: server.urlOf("first"),
        RESTORED_URL: server.urlOf("restored"),
        PGSERVICEFILE: join(folder, ".pg_service.conf"),
        TIDEGATE_VAULT_KEY: TEST_VAULT_KEY,
      };
      const services = [
        await serviceOf("tidegate", env.DATABASE_URL),
        await serviceOf("restored", env.RESTORED_URL),
      ];
      await writeFile(env.PGSERVICEFILE, services.join("\n"), { mode: 0o600 });
      const before = await spawnGateway({ environment: { DATABASE_URL: env.DATABASE_URL } });
      const { requestId, stored } = await storeCard(shopAt(before));
      await run(await blockOf("pg_dump"), folder, env);
      const later = await payOnce(shopAt(before));
      await stop(before);

      const output = await run(await blockOf("pg_restore"), folder, env);
      assert.match(output, /All is well|see the warnings/);
      assert.match(output, /adds up/);
      const after = await spawnGateway({ environment: { DATABASE_URL: env.RESTORED_URL } });
      try {
        const shop = shopAt(after);
        assert.equal((await getRequest(shop, requestId)).paymentRequestStatus, "completed");
        const charged = ok(await callApi(shop, "POST", "/transactions", chargeOf(stored, { amount: 700 })));
        assert.equal(charged.result.status, "approved", "the vault opens with the saved key");
        assert.equal((await callApi(shop, "GET", `/paymentrequests/${later.requestId}`)).status, 404);
      } finally {
        await stop(after);
      }
    } finally {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });

  test("a restored copy of the embedded server's folder has its payments, and stored cards can be charged", async () => {
    const folder = await mkdtemp(join(tmpdir(), "tidegate-backup-"));
    const [first, restored] = [join(folder, "first"), join(folder, "restored")];
    try {
      const environment = { TIDEGATE_VAULT_KEY: "", TIDEGATE_DATA_DIR: first };
      const before = await spawnGateway({ environment });
      const { requestId, stored } = await storeCard(shopAt(before));
      await stop(before);
      const env = { TIDEGATE_DATA_DIR: first, RESTORED_DIR: restored, KEY_BACKUP: join(folder, "key") };
      await run(await blockOf("tar"), folder, env);
      const archived = await run("tar --list --gzip --file tidegate.tar.gz", folder, env);
      assert.ok(
        archived.includes("postgres/") && !archived.includes("vault.key"),
        "the key is not beside the data",
      );
      assert.match(await run(await blockOf("mkdir"), folder, env), /All is well/);
      const after = await spawnGateway({ environment: { ...environment, TIDEGATE_DATA_DIR: restored } });
      try {
        const shop = shopAt(after);
        assert.equal((await getRequest(shop, requestId)).paymentRequestStatus, "completed");
        const charged = ok(await callApi(shop, "POST", "/transactions", chargeOf(stored, { amount: 700 })));
        assert.equal(charged.result.status, "approved");
        proof.count({ restores: 1 });
      } finally {
        await stop(after);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { type Gateway, startGateway } from "../../src/app/gateway.ts";
import { operatorMessage } from "../../src/app/operator-message.ts";
import { type Id, newId } from "../../src/kernel/ids.ts";
import type { Mode } from "../../src/kernel/mode.ts";
import { instant } from "../../src/kernel/time.ts";
import { readSettings } from "../../src/platform/config/settings.ts";
import type { Context } from "../../src/platform/context.ts";
import { createLog } from "../../src/platform/log/log.ts";
import { VaultError } from "../../src/platform/vault/errors.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { freePort } from "../support/free-port.ts";
import { makeMerchant } from "../support/operator.ts";

type Environment = Readonly<Record<string, string>>;

let database: TestDatabase;
let folder: string;
const leftovers: (() => Promise<void>)[] = [];
const home = process.env["HOME"];
before(async () => {
  process.env["HOME"] = await mkdtemp(join(tmpdir(), "tidegate-home-"));
});
beforeEach(async () => {
  const [place, made] = await Promise.all([cloneDatabase(), mkdtemp(join(tmpdir(), "tidegate-vault-"))]);
  [database, folder] = [place, made];
  leftovers.push(place.drop, () => rm(made, { recursive: true, force: true }));
});
after(async () => {
  for (const clear of leftovers) await clear();
  await rm(process.env["HOME"] ?? "", { recursive: true, force: true });
  process.env["HOME"] = home;
});

/** Like the embedded default for the vault: no DATABASE_URL, a data folder. */
async function start(
  environment: Environment = {},
  onContext: (ctx: Context) => void = () => {},
): Promise<Gateway> {
  const [apiPort, hostedPort] = await Promise.all([freePort(), freePort()]);
  const settings = readSettings({
    TIDEGATE_API_PORT: String(apiPort),
    TIDEGATE_HOSTED_PORT: String(hostedPort),
    TIDEGATE_DATA_DIR: folder,
    TIDEGATE_ROLES: "api",
    ...environment,
  });
  const wrapContext = (ctx: Context) => {
    onContext(ctx);
    return ctx;
  };
  return startGateway({ settings, databaseUrl: database.url, log: createLog("silent"), wrapContext });
}

async function startAndStop(environment?: Environment): Promise<void> {
  await (await start(environment)).stop();
}

async function refusal(environment?: Environment): Promise<string> {
  const outcome = await start(environment).catch((error: unknown) => error);
  if (typeof outcome === "object" && outcome !== null && "stop" in outcome) await (outcome as Gateway).stop();
  const line = operatorMessage(outcome);
  assert.ok(line !== undefined, String(outcome));
  assert.doesNotMatch(line, /\n/);
  return line;
}

const newKey = () => randomBytes(32).toString("base64");
const keyFile = () => join(folder, "vault.key");

describe("CONTRACT 6: the vault key is stored outside the database", () => {
  test("the first start creates a key file that only its user can read, and the next start uses it", async () => {
    await startAndStop();
    const text = await readFile(keyFile(), "utf8");
    assert.match(text, /^[\w+/]{43}=\n$/);
    assert.equal((await stat(keyFile())).mode & 0o777, 0o600);
    await startAndStop();
    assert.equal(await readFile(keyFile(), "utf8"), text);
    const rows = await database.rows("select * from vault_master");
    assert.equal(JSON.stringify(rows).includes(Buffer.from(text, "base64").toString("hex")), false);
  });

  test("five concurrent first starts share one key", async () => {
    await Promise.all(Array.from({ length: 5 }, () => startAndStop()));
    assert.equal((await database.rows("select from vault_master")).length, 1);
    assert.equal((await database.rows("select from vault_keys where purpose = 'audit'")).length, 1);
    await startAndStop();
  });

  test("refuses to start while the key file is missing", async () => {
    await startAndStop();
    await rename(keyFile(), `${keyFile()}.lost`);
    assert.match(
      await refusal(),
      /^the vault's key file .*vault\.key is gone, .*: put it back from your backup/,
    );
    await assert.rejects(stat(keyFile()), "no new key was created");
    await rename(`${keyFile()}.lost`, keyFile());
    await startAndStop();
  });

  test("refuses to start with a damaged key file, or one that others can read", async () => {
    await startAndStop();
    await chmod(keyFile(), 0o640);
    assert.match(await refusal(), /vault\.key is open to other users of this machine: chmod 600/);
    await chmod(keyFile(), 0o600);
    await writeFile(keyFile(), "half a ke");
    assert.match(await refusal(), /vault\.key is damaged/);
  });

  test("refuses to start a node with another key", async () => {
    const [ours, theirs] = [newKey(), newKey()];
    await startAndStop({ TIDEGATE_VAULT_KEY: ours });
    const refused =
      /^this node's vault key \(local-\w{16}, from TIDEGATE_VAULT_KEY\) is not the one of this database \(local-\w{16}\): give every node the same/;
    const line = await refusal({ TIDEGATE_VAULT_KEY: theirs });
    assert.match(line, refused);
    assert.equal(line.includes(theirs), false);
    await startAndStop({ TIDEGATE_VAULT_KEY: Buffer.from(ours, "base64").toString("hex") });
    await startAndStop({ TIDEGATE_VAULT_KEY: `${theirs},${ours}` });
  });

  test("accepts a key from a file, and refuses a file that is missing or holds no key", async () => {
    const file = join(folder, "configured");
    const configured = { TIDEGATE_VAULT_KEY_FILE: file };
    assert.match(await refusal(configured), /^TIDEGATE_VAULT_KEY_FILE can't be read \(ENOENT\)/);
    await writeFile(file, "secret words");
    const line = await refusal(configured);
    assert.match(line, /^TIDEGATE_VAULT_KEY_FILE must hold base64 or hex of 32 bytes/);
    assert.doesNotMatch(line, /secret/);
    await writeFile(file, `${newKey()}\n`);
    await startAndStop(configured);
    assert.match(
      await refusal({ ...configured, TIDEGATE_VAULT_KEY: newKey() }),
      /^TIDEGATE_VAULT_KEY_FILE is set beside TIDEGATE_VAULT_KEY; allowed: one of the two/,
    );
  });

  test("with an external database, nodes of one user share one key, whatever their data folders", async () => {
    const own = (name: string) => ({ DATABASE_URL: database.url, TIDEGATE_DATA_DIR: join(folder, name) });
    await startAndStop(own("one"));
    await startAndStop(own("other"));
    assert.equal((await stat(join(process.env["HOME"] ?? "", ".tidegate", "vault.key"))).mode & 0o777, 0o600);
  });

  test("the data folder holds the key if the home folder is not writable", async (t) => {
    const before = process.env["HOME"];
    process.env["HOME"] = "/proc/nowhere";
    t.after(() => {
      process.env["HOME"] = before;
    });
    await startAndStop({ DATABASE_URL: database.url });
    await stat(keyFile());
    await startAndStop({ DATABASE_URL: database.url });
    const nowhere = { DATABASE_URL: database.url, TIDEGATE_DATA_DIR: "/proc/nowhere/either" };
    await database.rows("delete from vault_keys; delete from vault_master");
    assert.match(
      await refusal(nowhere),
      /can't be written, the vault's key has no place: give TIDEGATE_VAULT_KEY/,
    );
  });
});

/** What else an open live merchant needs. */
const FIT: Environment = {
  TIDEGATE_BASE_URL: "https://pay.example",
  TIDEGATE_HOSTED_URL: "https://checkout.example",
  DATABASE_URL: "postgres://elsewhere/tidegate",
};

describe("live mode refuses to start on sample or missing secrets", () => {
  const SAMPLES: Readonly<Record<string, string>> = {
    "all zeros": "00".repeat(32),
    "a repeated byte": "ab".repeat(32),
    "consecutive bytes": Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString("hex"),
    "readable text": Buffer.from("this-is-a-sample-key-of-32-bytes").toString("base64"),
    "a sample after a good key": `${newKey()},${"00".repeat(32)}`,
  };

  /** A live merchant that may accept cards. */
  async function makeLiveMerchant(): Promise<void> {
    const { id } = await makeMerchant(database, "live", "AU");
    await database.rows(
      `update merchants set capabilities = (capabilities::jsonb || '{"cardNotPresent": true}')::json where id = $1`,
      [id],
    );
  }

  test("with a live merchant, a generated key is refused, and a configured one is accepted", async () => {
    await startAndStop();
    await makeMerchant(database, "live", "AU");
    // A live merchant that may not accept payments yet does not block the sandbox.
    await startAndStop();
    await makeLiveMerchant();
    const line =
      /^live merchants need a vault key of your own, .*: set TIDEGATE_VAULT_KEY or TIDEGATE_VAULT_KEY_FILE/;
    assert.match(await refusal(), line);
    await startAndStop({ ...FIT, TIDEGATE_VAULT_KEY_FILE: keyFile() });
  });

  for (const [what, key] of Object.entries(SAMPLES)) {
    test(`with a live merchant, a key of ${what} is refused; without one, it is accepted`, async () => {
      await startAndStop({ TIDEGATE_VAULT_KEY: key });
      await makeLiveMerchant();
      const line = await refusal({ TIDEGATE_VAULT_KEY: key });
      assert.match(line, /^live merchants need a secret vault key, and TIDEGATE_VAULT_KEY is a sample/);
    });
  }

  test("1,000 random keys are not taken for samples", async () => {
    await makeLiveMerchant();
    const { isSampleKey } = await import("../../src/platform/crypto/key-list.ts");
    for (let index = 0; index < 1000; index += 1) assert.equal(isSampleKey(randomBytes(32)), false);
    await startAndStop({ ...FIT, TIDEGATE_VAULT_KEY: newKey() });
  });

  test("a generated key stores nothing for a live merchant that is created while the gateway runs", async () => {
    let ctx: Context | undefined;
    const gateway = await start({}, (made) => {
      ctx = made;
    });
    const keepFor = async (mode: Mode) => {
      const { id } = await makeMerchant(database, mode, "AU");
      const instrumentId = newId("paymentInstrument", instant(Date.now()));
      const place = { merchantId: id as Id<"merchant">, instrumentId, field: "card_number" } as const;
      await ctx?.db.transaction((tx) => (ctx as Context).vault.keep(tx, place, "4111111111111111"));
    };
    try {
      await assert.rejects(keepFor("live"), VaultError);
      await keepFor("sandbox");
    } finally {
      await gateway.stop();
    }
    assert.equal((await database.rows("select from vault_secrets")).length, 1);
  });
});

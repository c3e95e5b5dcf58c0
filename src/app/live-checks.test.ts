import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { readSettings, SETTINGS, type Settings } from "../platform/config/settings.ts";
import { openKeyFiles } from "./live-checks.ts";

type FileSetting = Extract<keyof Settings, `${string}File`>;

/** By their names, so that a setting that comes later is not forgotten. */
const SECRETS = (Object.keys(SETTINGS) as (keyof Settings)[]).filter((name): name is FileSetting =>
  /(?:Key|Token|SecretId)File$/.test(name),
);

describe("contract 13: a file with a secret that other users can read is named", () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "tidegate-secrets-"));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function fileOf(name: string, mode: number): Promise<string> {
    const file = join(folder, `${name}-${mode.toString(8)}`);
    await writeFile(file, "secret", { mode });
    return file;
  }

  test("there are such settings of the vault, its key service, TLS and the wallets", () => {
    for (const name of [
      "vaultKeyFile",
      "transitTokenFile",
      "tlsKeyFile",
      "googlePayKeyFile",
      "applePayIdentityKeyFile",
    ])
      assert.ok((SECRETS as readonly string[]).includes(name), name);
  });

  for (const name of SECRETS) {
    test(SETTINGS[name].variable, async () => {
      const open = await fileOf(name, 0o644);
      const found = await openKeyFiles({ ...readSettings({}), [name]: open });
      assert.deepEqual(found, [{ namedBy: SETTINGS[name].variable, file: open }]);
      assert.deepEqual(await openKeyFiles({ ...readSettings({}), [name]: await fileOf(name, 0o600) }), []);
    });
  }

  test("every share of the master key", async () => {
    const [closed, open] = [await fileOf("share", 0o600), await fileOf("share", 0o604)];
    const found = await openKeyFiles({ ...readSettings({}), vaultKeyShares: [closed, open] });
    assert.deepEqual(found, [{ namedBy: SETTINGS.vaultKeyShares.variable, file: open }]);
  });
});

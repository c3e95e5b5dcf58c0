import { link, mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { SETTINGS, type Settings } from "../../config/settings.ts";
import { newKey } from "../../crypto/cipher.ts";
import { isSampleKey, parseKeyList, writeKey } from "../../crypto/key-list.ts";
import { randomText } from "../../crypto/secrets.ts";
import { VaultError } from "../errors.ts";
import { joinShares, readShare } from "./key-shares.ts";

/** Where the master keys come from. */
export type MasterKeySource = {
  /** As the operator knows it. */
  readonly name: string;
  /** Generated, because the operator configured none: allowed in the sandbox only. */
  readonly isGenerated: boolean;
  /** The operator gave a local key, so that keys may be wrapped under it. */
  readonly hasLocalKey: boolean;
  readonly read: () => Promise<readonly Uint8Array[]>;
  readonly isSample: () => Promise<boolean>;
  /** Of a generated one alone: makes it where there is none, puts a new key in front, drops all but the first. */
  readonly make: () => Promise<void>;
  readonly isThere: () => Promise<boolean>;
  readonly replaceWith: (keys: readonly Uint8Array[]) => Promise<void>;
};

type Place = Pick<
  Settings,
  "vaultKey" | "vaultKeyFile" | "vaultKeyShares" | "transitUrl" | "transitKey" | "databaseUrl" | "dataDir"
>;

export function masterKeySource(settings: Place): MasterKeySource {
  const local = localKeySource(settings);
  return settings.transitKey === undefined ? local : behindKeyService(local, settings);
}

function localKeySource(settings: Place): MasterKeySource {
  if (settings.vaultKey !== undefined) return fromVariable("vaultKey", settings.vaultKey);
  if (settings.vaultKeyFile !== undefined) return fromFile("vaultKeyFile", settings.vaultKeyFile);
  if (settings.vaultKeyShares !== undefined) return fromShares(settings.vaultKeyShares);
  return fromGeneratedFile(generatedPlaces(settings));
}

/** The local key of a vault that has moved to a key service, or is about to: it only unwraps, and may be gone. */
function behindKeyService(local: MasterKeySource, { transitUrl, transitKey }: Place): MasterKeySource {
  const read = async () => ((await local.isThere()) ? local.read() : []);
  return {
    ...given(`the transit key ${transitKey} at ${transitUrl}`, read),
    // One that the gateway made for the sandbox is good for unwrapping only.
    hasLocalKey: !local.isGenerated,
  };
}

/** The keys of texts, where they have their own; undefined otherwise. */
export function textKeySource(
  settings: Pick<Settings, "textKey" | "textKeyFile">,
): MasterKeySource | undefined {
  if (settings.textKey !== undefined) return fromVariable("textKey", settings.textKey);
  return settings.textKeyFile === undefined ? undefined : fromFile("textKeyFile", settings.textKeyFile);
}

/**
 * The key of the embedded database lies in its data folder. With a database of the operator's own, any number of nodes
 * of this user find one key in the user's home; where there is no home to write to, the data folder has to do.
 */
function generatedPlaces({ databaseUrl, dataDir }: Place): readonly string[] {
  const inData = join(dataDir, "vault.key");
  return databaseUrl === undefined ? [inData] : [join(homedir(), ".tidegate", "vault.key"), inData];
}

function fromVariable(name: "vaultKey" | "textKey", text: string): MasterKeySource {
  const keys = parseKeyList(text) ?? [];
  return given(SETTINGS[name].variable, async () => keys);
}

function fromFile(name: "vaultKeyFile" | "textKeyFile", path: string): MasterKeySource {
  const { variable } = SETTINGS[name];
  return given(variable, async () => {
    const keys = parseKeyList(await readGiven(variable, path));
    if (keys === undefined) {
      throw new VaultError(`${variable} must hold base64 or hex of 32 bytes, one key a line`);
    }
    return keys;
  });
}

/** A file may hold shares of several keys, one a line: the key of the first lines wraps, others unwrap. */
function fromShares(paths: readonly string[]): MasterKeySource {
  const { variable } = SETTINGS.vaultKeyShares;
  return given(variable, async () => {
    const files = await Promise.all(
      paths.map(async (path) => {
        const lines = (await readGiven(variable, path)).split(/\r?\n/).filter((line) => line.trim() !== "");
        return lines.map((line, index) => {
          const share = readShare(line);
          if (share !== undefined) return share;
          throw new VaultError(
            `${variable}: line ${index + 1} of ${path} is no share, or was mistyped: its check value does not fit`,
          );
        });
      }),
    );
    const most = Math.max(...files.map((shares) => shares.length));
    return Array.from({ length: most }, (_, line) => {
      const joined = joinShares(files.flatMap((shares) => shares[line] ?? []));
      if (joined.problem === undefined) return joined.key;
      throw new VaultError(`${variable}: ${joined.problem} (line ${line + 1} of each file)`);
    });
  });
}

async function readGiven(variable: string, path: string): Promise<string> {
  return readFile(path, "utf8").catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    throw new VaultError(`${variable} can't be read (${code}); check path and rights`);
  });
}

function given(name: string, read: () => Promise<readonly Uint8Array[]>): MasterKeySource {
  const never = () => Promise.reject(new Error("a key that was given is the operator's to change"));
  const isSample = async () => (await read()).some(isSampleKey);
  return {
    name,
    isGenerated: false,
    hasLocalKey: true,
    read,
    isSample,
    make: never,
    isThere: async () => true,
    replaceWith: never,
  };
}

function fromGeneratedFile(places: readonly string[]): MasterKeySource {
  const find = async () => {
    for (const path of places) if (await isFile(path)) return path;
    return undefined;
  };
  const first = places[0] ?? "";
  return {
    name: first,
    isGenerated: true,
    hasLocalKey: true,
    isThere: async () => (await find()) !== undefined,
    isSample: async () => false,
    read: async () => {
      const path = await find();
      if (path === undefined)
        throw new VaultError(`there is no vault key at ${first}; the first start makes it`);
      await refuseOpenFile(path);
      const keys = parseKeyList(await readFile(path, "utf8"));
      if (keys === undefined) throw new VaultError(`${path} is damaged: put it back from your backup`);
      return keys;
    },
    make: async () => {
      const text = `${writeKey(newKey())}\n`;
      for (const path of places) if (await publish(path, text)) return;
      throw new VaultError(
        `${first} can't be written, the vault's key has no place: give TIDEGATE_VAULT_KEY`,
      );
    },
    replaceWith: async (keys) => {
      const path = (await find()) ?? first;
      const temporary = await write(path, `${keys.map(writeKey).join("\n")}\n`);
      await rename(temporary, path);
      await syncFolder(dirname(path));
    },
  };
}

/** All at once or not at all, and never over another one: of two that do this at once, one wins and both go on with it. */
async function publish(path: string, text: string): Promise<boolean> {
  let temporary: string;
  try {
    // Its last folder alone: where those above it are missing, this is not the place.
    await mkdir(dirname(path), { mode: 0o700 }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    });
    temporary = await write(path, text);
  } catch {
    return false;
  }
  try {
    await link(temporary, path);
    await syncFolder(dirname(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  return true;
}

async function write(path: string, text: string): Promise<string> {
  const temporary = `${path}.${randomText(6)}`;
  const handle = await open(temporary, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return temporary;
}

/** Without this a power cut may undo the new name, and the key is lost to what was encrypted under it. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

async function refuseOpenFile(path: string): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & 0o077) !== 0) {
    throw new VaultError(`${path} is open to other users of this machine: chmod 600 it, or make a new key`);
  }
}

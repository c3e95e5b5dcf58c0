import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { DAY, type Instant, later } from "../../kernel/time.ts";
import type { Database, Tx } from "../db/database.ts";
import { SecretUnreadable } from "../vault/errors.ts";
import type { SealedColumn } from "../vault/rotation/sealed-column.ts";
import type { SealedTexts } from "../vault/sealed-texts.ts";
import { deleteSealingKeysBefore, findSealingKey, insertSealingKey, newestSealingKey } from "./queries.ts";

/** A key seals for a day; it opens as long as anything sealed with it can be valid. */
const KEY_LIFE = DAY;
const LONGEST_SEAL = DAY;

/** Where sealing keys are stored, sealed by the vault's own keys: a copy of the database does not reveal them. */
export type SealPlace = { readonly db: Database; readonly sealedTexts: SealedTexts };

/**
 * Seals a text for a while: its holder can neither read nor change it, and it opens only for the purpose it was sealed
 * for. For what a payer's frame keeps across a challenge, so that the gateway stores nothing.
 */
export async function seal(
  place: SealPlace,
  text: string,
  purpose: string,
  { now, until }: { readonly now: Instant; readonly until: Instant },
): Promise<string> {
  if (until > later(now, LONGEST_SEAL)) throw new Error("a text is sealed for a day at most");
  const { id, key } = await keyFor(place, now);
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(`${id}|${until}|${purpose}`));
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return [id, until, iv.toString("base64url"), body.toString("base64url")].join(".");
}

/** Undefined when it was changed, is for another purpose, or is too old. */
export async function unseal(
  place: SealPlace,
  sealed: string,
  purpose: string,
  now: Instant,
): Promise<string | undefined> {
  const [id = "", until = "", iv = "", body = "", ...more] = sealed.split(".");
  if (!/^[0-9a-f]{16}$/.test(id) || !/^\d{1,15}$/.test(until) || more.length > 0) return undefined;
  const [nonce, bytes] = [fromBase64(iv), fromBase64(body)];
  if (nonce?.length !== 12 || bytes === undefined || bytes.length < 16) return undefined;
  if (Number(until) <= now) return undefined;
  const key = await findKey(place, id);
  if (key === undefined) return undefined;
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: 16 });
    decipher.setAAD(Buffer.from(`${id}|${until}|${purpose}`)).setAuthTag(bytes.subarray(-16));
    return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}

/**
 * Forgets the keys that can open nothing any more. Merchants' clocks are never behind real time, so what is over in real
 * time is over for all of them.
 */
export async function forgetOldSealingKeys(tx: Tx, realTime: Instant): Promise<void> {
  await deleteSealingKeysBefore(tx, later(realTime, -(KEY_LIFE + LONGEST_SEAL)));
}

/** Undefined unless the text is the one way to write these bytes: Buffer overlooks what it does not understand. */
function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : undefined;
}

type OpenSealingKey = { readonly id: string; readonly key: Uint8Array };

async function keyFor(place: SealPlace, now: Instant): Promise<OpenSealingKey> {
  const newest = await newestSealingKey(place.db, now);
  if (newest !== undefined && now - newest.createdAt < KEY_LIFE) {
    const key = await openKey(place, newest.id, newest.sealedKey);
    // One that no vault key at hand opens seals nothing; the next one does.
    if (key !== undefined) return { id: newest.id, key };
  }
  const [id, key] = [randomBytes(8).toString("hex"), randomBytes(32)];
  await place.db.transaction(async (tx) => {
    const sealedKey = await place.sealedTexts.seal(tx, purposeOf(id), key.toString("base64url"));
    await insertSealingKey(tx, { id, sealedKey, createdAt: now });
  });
  return { id, key };
}

async function findKey(place: SealPlace, id: string): Promise<Uint8Array | undefined> {
  const found = await findSealingKey(place.db, id);
  return found && openKey(place, id, found.sealedKey);
}

async function openKey(place: SealPlace, id: string, sealedKey: string): Promise<Uint8Array | undefined> {
  try {
    return Buffer.from(await place.sealedTexts.open(place.db, purposeOf(id), sealedKey), "base64url");
  } catch (error) {
    if (error instanceof SecretUnreadable) return undefined;
    throw error;
  }
}

const purposeOf = (id: string) => `sealing key ${id}`;

export const SEALED_SEALING_KEYS: SealedColumn = {
  table: "sealing_keys",
  column: "sealed_key",
  id: "id",
  purposeOf,
};

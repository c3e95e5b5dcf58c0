import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { DAY, type Instant, later } from "../../kernel/time.ts";
import type { Tx } from "../db/database.ts";
import {
  deleteSealingKeysBefore,
  findSealingKey,
  insertSealingKey,
  newestSealingKey,
  type SealingKey,
} from "./queries.ts";

/** A key seals for a day; it opens as long as anything sealed with it can be valid. */
const KEY_LIFE = DAY;
const LONGEST_SEAL = DAY;

/**
 * Seals a text for a while: whoever holds it can neither read nor change it, and it opens only for the purpose it was
 * sealed for. For what a payer's frame has to keep across a challenge, so that the service stores nothing.
 */
export async function seal(
  tx: Tx,
  text: string,
  purpose: string,
  now: Instant,
  until: Instant,
): Promise<string> {
  if (until > later(now, LONGEST_SEAL)) throw new Error("nothing is sealed for so long");
  const { id, key } = await keyFor(tx, now);
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(`${id}|${until}|${purpose}`));
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return [id, until, iv.toString("base64url"), body.toString("base64url")].join(".");
}

/** Undefined when it was changed, is for another purpose, or is too old. */
export async function unseal(
  tx: Tx,
  sealed: string,
  purpose: string,
  now: Instant,
): Promise<string | undefined> {
  const [id = "", until = "", iv = "", body = "", ...more] = sealed.split(".");
  if (!/^[0-9a-f]{16}$/.test(id) || !/^\d{1,15}$/.test(until) || more.length > 0) return undefined;
  const [nonce, bytes] = [fromBase64(iv), fromBase64(body)];
  if (nonce?.length !== 12 || bytes === undefined || bytes.length < 16) return undefined;
  if (Number(until) <= now) return undefined;
  const known = await findSealingKey(tx, id);
  if (known === undefined) return undefined;
  try {
    const decipher = createDecipheriv("aes-256-gcm", known.key, nonce, { authTagLength: 16 });
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

async function keyFor(tx: Tx, now: Instant): Promise<SealingKey> {
  const newest = await newestSealingKey(tx, now);
  if (newest !== undefined && now - newest.createdAt < KEY_LIFE) return newest;
  const made = { id: randomBytes(8).toString("hex"), key: randomBytes(32), createdAt: now };
  await insertSealingKey(tx, made);
  return made;
}

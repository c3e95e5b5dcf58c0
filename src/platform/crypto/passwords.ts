import { randomBytes, scrypt } from "node:crypto";
import { refuse } from "../../kernel/refusal.ts";
import { sameBytes } from "./secrets.ts";

/**
 * 128 MiB and about 0.4 s a guess (measured with `node --eval` on one core of the reference machine). The parameters
 * stand in every hash, so that they can grow without invalidating old hashes.
 */
const COST = { N: 2 ** 17, r: 8, p: 1 } as const;
const KEY_BYTES = 32;

/** A hash costs memory: two at a time and a short queue keep a flood of sign-ins from exhausting it. */
const AT_ONCE = 2;
const WAITING_AT_MOST = 32;

type Cost = { readonly N: number; readonly r: number; readonly p: number };

/** `scrypt$131072$8$1$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, COST);
  return ["scrypt", COST.N, COST.r, COST.p, base64(salt), base64(key)].join("$");
}

/** For codes of 80 random bits: slow to guess from a copy of the table, quick enough for ten at once. */
const CODE_COST = { N: 2 ** 14, r: 8, p: 1 } as const;

/** The hash of a one-time code, salted by its owner: it can be looked up. */
export async function hashCode(code: string, owner: string): Promise<Uint8Array> {
  return derive(code, Buffer.from(`tidegate code of ${owner}`), CODE_COST);
}

/** False for a wrong password, and for no hash at all: that takes as long, so timing does not reveal who has an account. */
export async function isPassword(password: string, kept: string | null | undefined): Promise<boolean> {
  const known = kept == null ? undefined : readHash(kept);
  const { cost, salt, key } = known ?? NO_USER;
  const derived = await derive(password, salt, cost);
  return sameBytes(derived, key) && known !== undefined;
}

const NO_USER = { cost: COST, salt: randomBytes(16), key: randomBytes(KEY_BYTES) };

function readHash(text: string): { cost: Cost; salt: Uint8Array; key: Uint8Array } | undefined {
  const [scheme, N, r, p, salt = "", key = ""] = text.split("$");
  if (scheme !== "scrypt") return undefined;
  return {
    cost: { N: Number(N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, "base64url"),
    key: Buffer.from(key, "base64url"),
  };
}

let running = 0;
const waiting: (() => void)[] = [];

async function derive(password: string, salt: Uint8Array, cost: Cost): Promise<Uint8Array> {
  if (waiting.length >= WAITING_AT_MOST) refuse("system_unavailable");
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    // The same letters typed on another keyboard may be other code points; people don't see the difference.
    return await scryptOf(password.normalize("NFKC"), salt, cost);
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

function scryptOf(password: string, salt: Uint8Array, { N, r, p }: Cost): Promise<Uint8Array> {
  const maxmem = 128 * N * r + 1024 * 1024;
  return new Promise((resolve, reject) => {
    scrypt(password, salt, KEY_BYTES, { N, r, p, maxmem }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}

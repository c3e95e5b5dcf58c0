import { createHash, randomInt } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import type { TestDatabase } from "./database.ts";

/** One encoding of a number. */
export type Form = { readonly name: string; readonly bytes: Buffer };

/** Where a number was found that must not be stored. */
export type Finding = { readonly where: string; readonly form: string };

/** Digit groups of most cards, of American Express, and of New Zealand accounts. */
const GROUPINGS = [
  [4, 4, 4, 4, 3],
  [4, 6, 5],
  [2, 4, 7, 3],
] as const;

/** Shorter numbers in packed form match random bytes by chance. */
const SHORTEST_PACKED = 11;

/** Every encoding in which code could leak a number by accident. */
export function formsOf(number: string): readonly Form[] {
  const texts: Readonly<Record<string, string>> = {
    raw: number,
    ...grouped(number, " ", "spaced"),
    ...grouped(number, "-", "hyphenated"),
    percent: number
      .split("")
      .map((digit) => `%${digit.charCodeAt(0).toString(16)}`)
      .join(""),
    "digits of JSON": number.split("").join(","),
  };
  const forms: Form[] = [];
  for (const [name, text] of Object.entries(texts)) {
    const bytes = Buffer.from(text);
    const wide = Buffer.from(text, "utf16le");
    forms.push({ name, bytes });
    forms.push({ name: `${name}, hex`, bytes: Buffer.from(bytes.toString("hex")) });
    forms.push({ name: `${name}, hex in capitals`, bytes: Buffer.from(bytes.toString("hex").toUpperCase()) });
    forms.push({ name: `${name}, UTF-16 LE`, bytes: wide });
    forms.push({ name: `${name}, UTF-16 BE`, bytes: Buffer.from(wide).swap16() });
    forms.push(...base64Forms(name, bytes), ...base64Forms(`${name}, UTF-16 LE`, wide));
  }
  return [...forms, ...hashes(number), ...packed(number)].filter(isFirst);
}

function isFirst(form: Form, index: number, forms: readonly Form[]): boolean {
  return forms.findIndex(({ bytes }) => bytes.equals(form.bytes)) === index;
}

function grouped(number: string, by: string, name: string): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const sizes of GROUPINGS) {
    let rest = number;
    const groups: string[] = [];
    for (const size of sizes) {
      if (rest !== "") groups.push(rest.slice(0, size));
      rest = rest.slice(size);
    }
    texts[`${name} by ${sizes.join("-")}`] = [...groups, ...(rest === "" ? [] : [rest])].join(by);
  }
  return texts;
}

/** Base64 of a number depends on its offset in the text; characters that depend on its neighbours are left out. */
function base64Forms(name: string, bytes: Buffer): readonly Form[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const core = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return { name: `${name}, base64 at ${before}`, bytes: Buffer.from(core) };
  });
}

/** A hash without a key counts as the number: there are few enough to enumerate. */
function hashes(number: string): readonly Form[] {
  return ["md5", "sha1", "sha256", "sha512"].flatMap((name) => {
    const hash = createHash(name).update(number).digest();
    return [
      { name, bytes: hash },
      { name: `${name}, hex`, bytes: Buffer.from(hash.toString("hex")) },
      { name: `${name}, base64`, bytes: Buffer.from(hash.toString("base64").replace(/=+$/, "")) },
    ];
  });
}

function packed(number: string): readonly Form[] {
  if (!/^\d+$/.test(number) || number.length < SHORTEST_PACKED || BigInt(number) > 2n ** 63n) return [];
  const big = Buffer.alloc(8);
  big.writeBigInt64BE(BigInt(number));
  const decimal = Buffer.from(number.length % 2 === 0 ? number : `0${number}`, "hex");
  return [
    { name: "bigint, big end first", bytes: big },
    { name: "bigint, little end first", bytes: Buffer.from(big).swap64() },
    { name: "two digits a byte", bytes: decimal },
  ];
}

/** A valid card number that no other test uses. */
export function canaryCard(prefix = "4", length = 16): string {
  let digits = prefix;
  while (digits.length < length - 1) digits += randomInt(10);
  for (let last = 0; ; last += 1) if (passesLuhn(digits + last)) return digits + last;
}

function passesLuhn(number: string): boolean {
  const sum = number
    .split("")
    .reverse()
    .reduce((total, digit, place) => {
      const value = Number(digit) * (place % 2 === 1 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}

/** What must not be stored of a number: all of it, and all but its last four digits. */
export function secretsOf(number: string): readonly Form[] {
  const most = formsOf(number.slice(0, -4)).map(({ name, bytes }) => ({
    name: `but the end, ${name}`,
    bytes,
  }));
  return [...formsOf(number), ...most];
}

export function findInText(where: string, text: string | Buffer, forms: readonly Form[]): readonly Finding[] {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  const byPair = new Map<number, { readonly form: Form; readonly pairAt: number }[]>();
  for (const form of forms) {
    const pairAt = firstNonZeroPair(form.bytes);
    const pair = form.bytes.readUInt16BE(pairAt);
    byPair.set(pair, [...(byPair.get(pair) ?? []), { form, pairAt }]);
  }
  const isKnown = new Uint8Array(65_536);
  for (const pair of byPair.keys()) isKnown[pair] = 1;
  const found = new Set<string>();
  let pair = 0;
  // One pass for hundreds of forms, because files are large: two matching bytes trigger the full comparison.
  for (let index = 0; index < bytes.length; index += 1) {
    pair = ((pair << 8) | (bytes[index] as number)) & 0xffff;
    if (isKnown[pair] === 0 || index === 0) continue;
    for (const { form, pairAt } of byPair.get(pair) ?? []) {
      const start = index - 1 - pairAt;
      if (start >= 0 && bytes.subarray(start, start + form.bytes.length).equals(form.bytes))
        found.add(form.name);
    }
  }
  return [...found].map((form) => ({ where, form }));
}

/** The offset of the first two adjacent non-zero bytes: files are full of zeros. */
function firstNonZeroPair(bytes: Buffer): number {
  for (let at = 0; at + 1 < bytes.length; at += 1) if (bytes[at] !== 0 && bytes[at + 1] !== 0) return at;
  return 0;
}

/** Every row of every table as text, as a logical dump would hold it. */
export async function findInTables(
  database: TestDatabase,
  forms: readonly Form[],
): Promise<readonly Finding[]> {
  const tables = await database.rows<{ name: string }>(
    `select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables order by 1`,
  );
  const findings: Finding[] = [];
  for (const { name } of tables) {
    const rows = await database.rows<{ text: string }>(`select t::text as text from ${name} t`);
    findings.push(...findInText(name, rows.map(({ text }) => text).join("\n"), forms));
  }
  return findings;
}

/** Searches every chosen file in the folder and below. A running server deletes files and folders meanwhile. */
export async function findInFolder(
  folder: string,
  forms: readonly Form[],
  choose: (path: string) => boolean = () => true,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const path of await filesBelow(folder)) {
    const name = relative(folder, path);
    if (!choose(name)) continue;
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    findings.push(...findInText(name, bytes, forms));
  }
  return findings;
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path).catch(() => []);
    return entry.isFile() ? [path] : [];
  });
  return (await Promise.all(found)).flat();
}

/**
 * Searches the server's own files: those of this database, the write-ahead log, and its logs. A checkpoint first writes
 * what is in memory to disk.
 */
export async function findInDatabaseFiles(
  database: TestDatabase,
  forms: readonly Form[],
): Promise<readonly Finding[]> {
  const folder = process.env["TIDEGATE_TEST_DATA_DIR"];
  if (folder === undefined)
    throw new Error("run tests with `npm test -- <files>`: they need the server's folder");
  await database.rows("checkpoint");
  const [own] = await database.rows<{ oid: number }>(
    "select oid::int as oid from pg_database where datname = current_database()",
  );
  const files = join(folder, "postgres", "data");
  await stat(join(files, "base", String(own?.oid)));
  const ours = new RegExp(`^(postgres/data/(base/${own?.oid}|pg_wal|global|pg_stat|pg_logical)/|[^/]+$)`);
  return findInFolder(folder, forms, (path) => ours.test(path));
}

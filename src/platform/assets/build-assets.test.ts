import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { CHECKOUT_VERSION as FRAME_VERSION } from "../../../browser/protocol/version.ts";
import { makeAsset } from "./asset.ts";
import { assetTable, dashboardAssetTable, loaderPaths } from "./asset-table.ts";
import { type Assets, buildAssets, bundleAssets, CHECKOUT_VERSION } from "./build-assets.ts";

const all = (assets: Assets) => Object.values(assets);

const assets = await buildAssets();

describe("assets: what browsers load", () => {
  const size = ({ gzip }: { readonly gzip: Buffer }): number => gzip.length;

  test("the same sources produce the same bytes", async () => {
    const again = await bundleAssets();
    for (const [at, asset] of all(assets).entries()) assert.equal(all(again)[at]?.hash, asset.hash);
  });

  test("the loader is under 4 KB, and the complete frame under 25 KB, compressed", () => {
    const { payui, checkoutScript, checkoutStyle, checkoutFrame } = assets;
    assert.ok(size(payui) <= 4 * 1024, `loader: ${size(payui)} bytes`);
    const frame = size(checkoutScript) + size(checkoutStyle) + size(checkoutFrame);
    assert.ok(frame <= 25 * 1024, `frame: ${frame} bytes`);
  });

  test("wallets add at most 8 KB, compressed, and only where there is one", () => {
    const { walletsScript, walletsStyle } = assets;
    const wallets = size(walletsScript) + size(walletsStyle);
    assert.ok(wallets <= 8 * 1024, `wallets: ${wallets} bytes`);
    const named = (page: { readonly bytes: Buffer }) => page.bytes.toString("utf8").includes("wallets.js");
    assert.deepEqual([named(assets.checkoutFrame), named(assets.walletsFrame)], [false, true]);
  });

  test("the panel of a PayID is under 10 KB, compressed, and its code is in no other script", () => {
    const { payIdScript, payIdStyle, checkoutScript, payui } = assets;
    const panel = size(payIdScript) + size(payIdStyle);
    assert.ok(panel <= 10 * 1024, `panel: ${panel} bytes`);
    assert.match(payIdScript.bytes.toString("utf8"), /payid-left/);
    for (const other of [checkoutScript, payui]) assert.doesNotMatch(other.bytes.toString("utf8"), /payid-/);
  });

  test("what is compressed is what is served", () => {
    for (const asset of all(assets)) assert.deepEqual(gunzipSync(asset.gzip), asset.bytes);
  });

  test("the frame's page names script and style where the table has them, and nothing inline", () => {
    const table = assetTable(assets);
    for (const [frame, files] of [
      [assets.checkoutFrame, 2],
      [assets.walletsFrame, 4],
    ] as const) {
      const page = frame.bytes.toString("utf8");
      const named = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? "");
      assert.equal(named.length, files);
      for (const path of named) assert.ok(table.has(path), path);
      assert.doesNotMatch(page, /<style|style=|<script>|\son\w+=|\{\{/);
    }
  });

  test("the loader is published with its integrity, and never carries card code", () => {
    const published = assetTable(assets).get("/static/pay/integrity.json");
    assert.deepEqual(JSON.parse(String(published?.asset.bytes)), {
      [CHECKOUT_VERSION]: { "payui.js": assets.payui.integrity, address: loaderPaths(assets).pinned },
    });
    assert.doesNotMatch(assets.payui.bytes.toString("utf8"), /securityCode|cc-number/);
    assert.match(assets.checkoutScript.bytes.toString("utf8"), /cc-number/);
  });

  test("contract 2: what is kept for good never changes, whatever is changed in the sources", () => {
    const changed = Object.fromEntries(
      Object.entries(assets).map(([name, { bytes, contentType }]) => [
        name,
        makeAsset(`${bytes.toString("utf8")} `, contentType),
      ]),
    ) as Assets;
    const tableOf = (one: Assets) => new Map([...assetTable(one), ...dashboardAssetTable(one)]);
    const [before, after] = [tableOf(assets), tableOf(changed)];
    const kept = [...before].filter(([, { cacheControl }]) => /immutable/.test(cacheControl));
    assert.equal(kept.length, 11);
    for (const [path] of kept) assert.ok(!after.has(path), path);
    const same = [...before.keys()].filter((path) => after.has(path));
    assert.deepEqual(same.toSorted(), [
      "/static/pay/integrity.json",
      "/static/pay/js/payui.d.ts",
      "/static/pay/js/payui.js",
    ]);
    for (const path of same) assert.equal(before.get(path)?.cacheControl, "no-cache", path);
  });

  test("server, loader and frame speak of one version", () => {
    assert.equal(CHECKOUT_VERSION, FRAME_VERSION);
  });
});

/**
 * Checks the bundles against the oldest browsers that the specification names (Chrome 60, Safari 17, Firefox 60,
 * Edge 79): no newer feature, unless its use is guarded and listed here. `npx node tools/browser-floor.ts` prints
 * the offences; tools/browser-floor.test.ts plants each of them.
 */
import { buildAssets } from "../src/platform/assets/build-assets.ts";
import { NEW_SCRIPT_FEATURES, NEW_STYLE_FEATURES, type NewFeature } from "./browser-floor/new-features.ts";

export type BundledFile = { readonly name: string; readonly kind: "script" | "style"; readonly text: string };

/** A new feature that is detected before use. Without the guard in the bundle the exception does not apply. */
export type GuardedUse = {
  readonly file: string;
  readonly feature: string;
  readonly guard: RegExp;
  readonly fallback: string;
};

export const GUARDED: readonly GuardedUse[] = [
  ...["checkout.js", "payid.js"].map((file) => ({
    file,
    feature: "ResizeObserver",
    guard: /"ResizeObserver"\s*in window\s*\?/,
    fallback: "MutationObserver, resize events and a slow timer",
  })),
  {
    file: "hosted.css",
    feature: ":is, :where, :has",
    guard: /@supports selector\(:has\(/,
    fallback: "without scripts, the fields of another card stay beside a saved one and may be left empty",
  },
  ...["checkout.css", "hosted.css"].map((file) => ({
    file,
    feature: ":focus-visible",
    guard: /\}:focus-visible\{.*input:focus\+\.tick\{outline:var/,
    fallback: "a rule of its own, so the browser draws its outline; a drawn box has one after a click, too",
  })),
  {
    file: "wallets.css",
    feature: ":focus-visible",
    guard: /input:focus\+\.dot\{outline:var/,
    fallback: "a drawn box has its outline after a click, too",
  },
];

/** Rules that old browsers skip without harm need no guard and are in no list: color-scheme, prefers-*. */
export function floorOffences(
  files: readonly BundledFile[],
  guarded: readonly GuardedUse[],
): readonly string[] {
  return files.flatMap((file) =>
    (file.kind === "script" ? NEW_SCRIPT_FEATURES : NEW_STYLE_FEATURES)
      .filter(({ name }) => !isGuarded(file, name, guarded))
      .flatMap((feature) => occurrences(file, feature)),
  );
}

function isGuarded({ name, text }: BundledFile, feature: string, guarded: readonly GuardedUse[]): boolean {
  return guarded.some((use) => use.file === name && use.feature === feature && use.guard.test(text));
}

function occurrences({ name, text }: BundledFile, feature: NewFeature): readonly string[] {
  return [...text.matchAll(feature.pattern)].map(({ index }) => {
    const around = text.slice(Math.max(0, index - 30), index + 40).replace(/\s+/g, " ");
    return `${name}: ${feature.name} came with ${feature.since}: …${around}…`;
  });
}

if (import.meta.main) {
  const assets = await buildAssets();
  const bundles = {
    "payui.js": assets.payui,
    "checkout.js": assets.checkoutScript,
    "checkout.css": assets.checkoutStyle,
    "hosted.js": assets.hostedScript,
    "hosted.css": assets.hostedStyle,
    "wallets.js": assets.walletsScript,
    "wallets.css": assets.walletsStyle,
    "payid.js": assets.payIdScript,
    "payid.css": assets.payIdStyle,
  };
  const files = Object.entries(bundles).map(([name, { bytes }]): BundledFile => {
    const kind = name.endsWith(".css") ? "style" : "script";
    return { name, kind, text: bytes.toString("utf8") };
  });
  const offences = floorOffences(files, GUARDED);
  for (const offence of offences) console.log(offence);
  console.log(`${files.length} bundles, ${offences.length} offences`);
  process.exitCode = offences.length === 0 ? 0 : 1;
}

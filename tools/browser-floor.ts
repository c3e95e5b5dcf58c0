/**
 * Checks the bundles against the oldest browsers that the specification names (Chrome 60, Safari 17, Firefox 60,
 * Edge 79): no newer feature, unless its use is guarded and listed here. `node tools/browser-floor.ts` prints the
 * offences; tools/browser-floor.test.ts plants each of them.
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
  {
    file: "checkout.js",
    feature: "ResizeObserver",
    guard: /"ResizeObserver"\s*in window\s*\?/,
    fallback: "MutationObserver, resize events and a slow timer",
  },
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
  const { payui, checkoutScript, checkoutStyle, hostedScript, hostedStyle, walletsScript, walletsStyle } =
    await buildAssets();
  const offences = floorOffences(
    [
      { name: "payui.js", kind: "script", text: payui.bytes.toString("utf8") },
      { name: "checkout.js", kind: "script", text: checkoutScript.bytes.toString("utf8") },
      { name: "checkout.css", kind: "style", text: checkoutStyle.bytes.toString("utf8") },
      { name: "hosted.js", kind: "script", text: hostedScript.bytes.toString("utf8") },
      { name: "hosted.css", kind: "style", text: hostedStyle.bytes.toString("utf8") },
      { name: "wallets.js", kind: "script", text: walletsScript.bytes.toString("utf8") },
      { name: "wallets.css", kind: "style", text: walletsStyle.bytes.toString("utf8") },
    ],
    GUARDED,
  );
  for (const offence of offences) console.log(offence);
  console.log(`7 bundles, ${offences.length} offences`);
  process.exitCode = offences.length === 0 ? 0 : 1;
}

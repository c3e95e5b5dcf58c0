import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { NEW_SCRIPT_FEATURES, NEW_STYLE_FEATURES } from "./browser-floor/new-features.ts";
import { type BundledFile, floorOffences, GUARDED } from "./browser-floor.ts";

const script = (text: string): BundledFile => ({ name: "checkout.js", kind: "script", text });
const style = (text: string): BundledFile => ({ name: "checkout.css", kind: "style", text });

/** One offence for each feature, and a similar text that must pass. */
const PLANTED_SCRIPT: Readonly<Record<string, readonly [bad: string, similar: string]>> = {
  ResizeObserver: ["new ResizeObserver(f)", 'let a="ResizeObserver"in window'],
  AbortController: ["new AbortController", "new AbortControllers"],
  AbortSignal: ["AbortSignal.timeout(1)", "x.AbortSignal"],
  BigInt: ["BigInt(1)", "isBigInt(1)"],
  "bigint literal": ["a=10n", 'a="10n"'],
  globalThis: ["globalThis.a", "a.globalThis"],
  queueMicrotask: ["queueMicrotask(f)", "myqueueMicrotask(f)"],
  structuredClone: ["structuredClone(a)", '"structuredClone"'],
  WeakRef: ["new WeakRef(a)", "new WeakReference(a)"],
  "beforeinput event": ['a.addEventListener("beforeinput",f)', 'a.addEventListener("input",f)'],
  visualViewport: ["window.visualViewport.width", "window.innerWidth"],
  "optional catch binding": ["try{f()}catch{g()}", "try{f()}catch(e){g()}"],
  "optional chaining": ["a?.b", "a?.5:b"],
  "nullish operator": ["a??b", "a?b:c"],
  "for await": ["for await(let a of b);", "for(let a of b);"],
  "dynamic import": ['import("a")', "imports(a)"],
  lookbehind: ["/(?<!a)b/", "/(?!a)b/"],
  "named group": ["/(?<year>a)/", "/(?:a)/"],
  "unicode property": ["/\\p{L}/u", "/\\d{2}/"],
};

const PLANTED_STYLE: Readonly<Record<string, readonly [bad: string, similar: string]>> = {
  gap: [".a{display:flex;gap:4px}", ".a{display:grid;grid-column-gap:4px}"],
  inset: [".a{inset:0}", ".a{box-shadow:0 0 0 1px red inset}"],
  "aspect-ratio": [".a{aspect-ratio:1}", "@media (min-aspect-ratio:1/1){.a{top:0}}"],
  "logical property": [".a{margin-inline:auto}", ".a{margin-left:auto}"],
  "logical size": [".a{inline-size:1px}", ".a{width:1px}"],
  ":is, :where, :has": [".a:is(b,i){top:0}", ".a:not(b){top:0}"],
  ":not with a list": [".a:not(b,i){top:0}", ".a:not(b){top:0}"],
  ":focus-visible": [".a:focus-visible{top:0}", ".a:focus{top:0}"],
  "clamp, min, max": [".a{width:min(1px,2px)}", "@media (min-width:1px){.a{top:0}}"],
  "color-mix and similar functions": [".a{color:color-mix(in srgb,red,blue)}", ".a{color-scheme:dark}"],
  env: [".a{top:env(safe-area-inset-top)}", ".a{top:0}"],
  "hex with alpha": [".a{color:#0000}", ".a{color:#000}"],
  "colour with spaces": [".a{color:rgb(0 0 0/.5)}", ".a{color:rgba(0,0,0,.5)}"],
  "new unit": [".a{height:100dvh}", ".a{height:100vh}"],
  "conic-gradient": [".a{background:conic-gradient(red,blue)}", ".a{background:linear-gradient(red,blue)}"],
  "backdrop-filter": [".a{backdrop-filter:blur(1px)}", ".a{filter:blur(1px)}"],
  "accent-color": [".a{accent-color:red}", ".a{caret-color:red}"],
  "overscroll-behavior": [".a{overscroll-behavior:none}", ".a{overflow:hidden}"],
  "new at-rule": ["@layer a{.a{top:0}}", "@media print{.a{top:0}}"],
  "range in a media query": ["@media (width>=1px){.a{top:0}}", "@media (min-width:1px){.a>b{top:0}}"],
  nesting: [".a{top:0;&:hover{top:1px}}", ".a{top:0}.a:hover{top:1px}"],
};

describe("browser floor: nothing newer than Chrome 60, Safari 17, Firefox 60, Edge 79", () => {
  const methods = NEW_SCRIPT_FEATURES.filter(({ name }) => PLANTED_SCRIPT[name] === undefined);

  for (const [name, [bad, similar]] of Object.entries(PLANTED_SCRIPT)) {
    test(`reports ${name} in a script`, () => {
      assert.ok(floorOffences([script(bad)], []).some((offence) => offence.includes(`: ${name} came with`)));
      assert.deepEqual(floorOffences([script(similar)], []), []);
    });
  }

  for (const { name } of methods) {
    test(`reports .${name}() in a script`, () => {
      assert.equal(floorOffences([script(`a.${name}(b)`)], []).length, 1);
      assert.deepEqual(floorOffences([script(`a.${name}s(b);c={${name}:1}`)], []), []);
    });
  }

  for (const [name, [bad, similar]] of Object.entries(PLANTED_STYLE)) {
    test(`reports ${name} in a style`, () => {
      assert.ok(floorOffences([style(bad)], []).some((offence) => offence.includes(`: ${name} came with`)));
      assert.deepEqual(floorOffences([style(similar)], []), []);
    });
  }

  test("every feature of the style list has a planted offence", () => {
    assert.deepEqual(
      NEW_STYLE_FEATURES.map(({ name }) => name).filter((name) => PLANTED_STYLE[name] === undefined),
      [],
    );
  });

  test("allows a guarded use only with its guard and in its file", () => {
    const guarded = '"ResizeObserver"in window?new ResizeObserver(f).observe(a):g()';
    assert.deepEqual(floorOffences([script(guarded)], GUARDED), []);
    assert.equal(floorOffences([script("new ResizeObserver(f)")], GUARDED).length, 1);
    assert.equal(floorOffences([{ ...script(guarded), name: "payui.js" }], GUARDED).length, 1);
  });
});

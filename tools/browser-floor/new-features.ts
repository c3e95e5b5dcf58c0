/** A feature that the oldest supported browsers lack, and its pattern in a bundle. */
export type NewFeature = {
  readonly name: string;
  /** The version of the named browsers that supported it last. */
  readonly since: string;
  readonly pattern: RegExp;
};

const feature = (name: string, since: string, pattern: RegExp): NewFeature => ({ name, since, pattern });
const method = (name: string, since: string): NewFeature =>
  feature(name, since, new RegExp(`\\.${name}\\(`, "g"));
const global = (name: string, since: string): NewFeature =>
  feature(name, since, new RegExp(`(?<![\\w$."'-])${name}(?![\\w$"'-])`, "g"));

/** The bundler lowers syntax, but adds no missing object or method. */
export const NEW_SCRIPT_FEATURES: readonly NewFeature[] = [
  global("ResizeObserver", "Chrome 64"),
  global("AbortController", "Chrome 66"),
  global("AbortSignal", "Chrome 66"),
  global("BigInt", "Chrome 67"),
  feature("bigint literal", "Chrome 67", /(?<![\w$."'#])\d+n(?![\w$"'])/g),
  global("globalThis", "Chrome 71"),
  global("queueMicrotask", "Chrome 71"),
  global("structuredClone", "Chrome 98"),
  global("WeakRef", "Chrome 84"),
  method("flat", "Chrome 69"),
  method("flatMap", "Chrome 69"),
  method("at", "Chrome 92"),
  method("findLast", "Chrome 97"),
  method("toSorted", "Chrome 110"),
  method("toReversed", "Chrome 110"),
  method("fromEntries", "Chrome 73"),
  method("hasOwn", "Chrome 93"),
  method("groupBy", "Chrome 117"),
  method("replaceAll", "Chrome 85"),
  method("matchAll", "Chrome 73"),
  method("trimStart", "Chrome 66"),
  method("trimEnd", "Chrome 66"),
  method("allSettled", "Chrome 76"),
  method("any", "Chrome 85"),
  method("finally", "Chrome 63"),
  method("withResolvers", "Chrome 119"),
  method("replaceChildren", "Chrome 86"),
  method("toggleAttribute", "Chrome 69"),
  method("requestSubmit", "Chrome 76"),
  method("checkVisibility", "Chrome 105"),
  method("randomUUID", "Chrome 92"),
  feature("visualViewport", "Chrome 61", /\bvisualViewport\b/g),
  feature("beforeinput event", "Firefox 87", /["'`]beforeinput["'`]/g),
  feature("optional catch binding", "Chrome 66", /\bcatch\s*\{/g),
  feature("optional chaining", "Chrome 80", /\?\.(?!\d)(?=[\w$[(])/g),
  feature("nullish operator", "Chrome 80", /\?\?(?!\?)/g),
  feature("for await", "Chrome 63", /\bfor\s+await\b/g),
  feature("dynamic import", "Chrome 63", /\bimport\s*\(/g),
  feature("lookbehind", "Firefox 78", /\(\?<[=!]/g),
  feature("named group", "Firefox 78", /\(\?<[a-z]/gi),
  feature("unicode property", "Firefox 78", /\\p\{/g),
];

export const NEW_STYLE_FEATURES: readonly NewFeature[] = [
  feature("gap", "Chrome 84 in flex, 66 in grid", /[;{](?:row-|column-)?gap:/g),
  feature("inset", "Chrome 87", /[;{]inset(?:-\w+)*:/g),
  feature("aspect-ratio", "Chrome 88", /[;{]aspect-ratio:/g),
  feature("logical property", "Chrome 69 and later", /[;{](?:margin|padding|border|inset)-(?:inline|block)/g),
  feature("logical size", "Firefox 41, Chrome 57", /[;{](?:min-|max-)?(?:inline|block)-size:/g),
  feature(":is, :where, :has", "Chrome 88", /:(?:is|where|has)\(/g),
  feature(":not with a list", "Chrome 88", /:not\([^()]*,/g),
  feature(":focus-visible", "Chrome 86", /:focus-visible/g),
  feature("clamp, min, max", "Chrome 79", /[:( ,](?:clamp|min|max)\(/g),
  feature(
    "color-mix and similar functions",
    "Chrome 111",
    /\b(?:color-mix|oklch|oklab|lch|lab|color|light-dark)\(/g,
  ),
  feature("env", "Chrome 69", /\benv\(/g),
  feature("hex with alpha", "Chrome 62", /#(?:[0-9a-f]{4}|[0-9a-f]{8})(?![0-9a-f])/gi),
  feature("colour with spaces", "Chrome 65", /\b(?:rgb|hsl)a?\(\s*[\d.]+(?:deg)?\s+[\d.]/g),
  feature("new unit", "Chrome 108", /\d(?:dvh|svh|lvh|dvw|svw|lvw|cqw|cqh|lh)\b/g),
  feature("conic-gradient", "Chrome 69", /\bconic-gradient\(/g),
  feature("backdrop-filter", "Chrome 76", /[;{]backdrop-filter:/g),
  feature("accent-color", "Chrome 93", /[;{]accent-color:/g),
  feature("overscroll-behavior", "Chrome 63", /[;{]overscroll-behavior/g),
  feature("new at-rule", "Chrome 99", /@(?:layer|container|property|scope|starting-style)\b/g),
  feature("range in a media query", "Chrome 104", /@media[^{]*[<>]/g),
  feature("nesting", "Chrome 112", /[{};]\s*&/g),
];

import { createHash } from "node:crypto";
import { bundleAssets } from "../platform/assets/build-assets.ts";
import { securityHeaders } from "../platform/http/security-headers.ts";
import { scriptInventory } from "./checkout-frame/script-inventory.ts";

type Listed = {
  readonly address: string;
  readonly integrity?: string;
  readonly source: "tidegate" | "vendor";
};

export type VerifiedPage = {
  readonly url: string;
  /** The scripts of the page, as a browser would load them. */
  readonly scripts: readonly { readonly address: string; readonly integrity: string | null }[];
  /** What differs from this release; empty: nothing. */
  readonly problems: readonly string[];
};

const TIMEOUT_MS = 15_000;

/**
 * Fetches a payment page as a payer's browser would, with its scripts, and compares headers and scripts with this release
 * (PCI DSS 6.4.3 and 11.6.1). Run it from outside, against the address that payers use.
 */
export async function verifyPage(url: string): Promise<VerifiedPage> {
  const listed = scriptInventory(await bundleAssets()) as readonly Listed[];
  const page = await read(url);
  if (page.status !== 200) return { url, scripts: [], problems: [`the page answers ${page.status}`] };
  const problems = [
    ...headerProblems(page.headers, new URL(url)),
    ...policyProblems(page.headers.get("content-security-policy") ?? "", new URL(url), listed),
    ...markupProblems(page.text, new URL(url)),
  ];
  const scripts: { address: string; integrity: string | null }[] = [];
  for (const { attributes, body } of scriptTags(page.text)) {
    const source = attributes.get("src");
    if (source === undefined || body.trim() !== "") {
      problems.push("the page has a script in itself, which this release never writes");
      continue;
    }
    const address = new URL(source, url);
    const own = address.origin === new URL(url).origin;
    const known = listed.find((one) => one.address === (own ? address.pathname : address.href));
    if (known === undefined) {
      problems.push(`${address.href} is no script of this release`);
      scripts.push({ address: address.href, integrity: null });
      continue;
    }
    if (known.source === "vendor") {
      scripts.push({ address: address.href, integrity: null });
      continue;
    }
    if (attributes.get("integrity") !== known.integrity)
      problems.push(`the tag of ${address.pathname} does not carry the integrity of this release`);
    const script = await read(address.href);
    const integrity = `sha384-${createHash("sha384").update(script.bytes).digest("base64")}`;
    scripts.push({ address: address.href, integrity });
    if (script.status !== 200) problems.push(`${address.pathname} answers ${script.status}`);
    else if (integrity !== known.integrity)
      problems.push(`${address.pathname} is not the script of this release`);
  }
  return { url, scripts, problems };
}

const SAME_HEADERS = [
  "X-Content-Type-Options",
  "Referrer-Policy",
  "Permissions-Policy",
  "Cross-Origin-Opener-Policy",
] as const;

function headerProblems(headers: Headers, { protocol }: URL): readonly string[] {
  const released = securityHeaders(false);
  const changed = SAME_HEADERS.filter((name) => headers.get(name) !== released[name]);
  return [
    ...changed.map((name) => `${name} is not the one of this release`),
    ...(protocol !== "https:" || headers.has("strict-transport-security")
      ? []
      : ["Strict-Transport-Security is missing"]),
  ];
}

const GOOGLE = /^https:\/\/(?:pay\.google\.com|(?:www\.)?google\.com\/pay)$/;
const NONCE = /^'nonce-[\w-]+'$/;
const SCHEME = /^[a-z][a-z\d+.-]*:$/;

type Allows = (source: string) => boolean;

/** Every directive that this release writes, with the sources that it may name. */
function releasedPolicy(isFrame: boolean, listed: readonly Listed[]): Readonly<Record<string, Allows>> {
  const only = (text: string) => (source: string) => source === text;
  const hashes = new Set(listed.map(({ integrity }) => `'${integrity}'`));
  const isOwnScript = (source: string) => source === "'self'" || (!isFrame && hashes.has(source));
  return {
    "default-src": only("'none'"),
    "script-src": (source) => isOwnScript(source) || GOOGLE.test(source) || NONCE.test(source),
    "style-src": (source) => source === "'self'" || NONCE.test(source),
    "img-src": (source) => source === "'self'" || (isFrame && source === "data:"),
    "connect-src": (source) => source === "'self'" || GOOGLE.test(source),
    // In live mode every bank has a page of its own for 3D Secure.
    "frame-src": (source) => source === "'self'" || source === "https:" || GOOGLE.test(source),
    // A page that redirects to the merchant allows any; `markupProblems` compares where its forms lead.
    "form-action": (source) =>
      source === (isFrame ? "'none'" : "'self'") || (!isFrame && SCHEME.test(source)),
    "base-uri": only("'none'"),
    "report-uri": only("/page-reports"),
    // The merchant's list of origins decides who embeds the frame.
    ...(isFrame ? {} : { "frame-ancestors": only("'none'") }),
  };
}

function policyProblems(text: string, { pathname }: URL, listed: readonly Listed[]): readonly string[] {
  if (text.includes(",")) return ["the page has more than one policy"];
  const isFrame = pathname.startsWith("/checkout/");
  const released = releasedPolicy(isFrame, listed);
  // Of a directive that is there twice browsers take the first.
  const written = new Map<string, readonly string[]>();
  for (const directive of text.split(";")) {
    const [name = "", ...sources] = directive.trim().split(/\s+/);
    if (name !== "" && !written.has(name.toLowerCase())) written.set(name.toLowerCase(), sources);
  }
  if (isFrame) written.delete("frame-ancestors");
  const missing = Object.keys(released).filter((name) => !written.has(name));
  return [
    ...missing.map((name) => `the policy lacks ${name}`),
    ...[...written].flatMap(([name, sources]) => {
      const allows = released[name];
      if (allows === undefined) return [`the policy has ${name}, which this release does not write`];
      return sources
        .filter((source) => !allows(source))
        .map((source) => `the policy allows ${source} by ${name}`);
    }),
  ];
}

/** A script tag of this release, to the letter: a browser reads more forms of one than this does. */
const OWN_TAG = /<script src="[^"<>\s]+"(?: nonce="[\w-]+")? integrity="[^"<>\s]+" defer><\/script>/g;

/** What makes a page send its payers' data elsewhere without a script, and tags that this release does not write. */
function markupProblems(page: string, url: URL): readonly string[] {
  const tags = page.match(/<script/gi)?.length ?? 0;
  const elements = [...page.matchAll(/<(base|iframe|frame|object|embed)\b/gi)].map(([, name = ""]) => name);
  const forms = [...page.matchAll(/<(?:form|button|input)\b[^>]*>/gi)].flatMap(([tag]) =>
    [...tag.matchAll(/\b(?:form)?action\s*=\s*("[^"]*"|'[^']*'|[^\s>]*)/gi)].map(([, target = ""]) => target),
  );
  const refreshes = [...page.matchAll(/<meta\b[^>]*http-equiv[^>]*>/gi)].map(
    ([tag]) => /url\s*=\s*([^"'>\s]*)/i.exec(tag)?.[1] ?? "",
  );
  const away = [...forms, ...refreshes].filter((target) => !isOwn(target.replace(/^["']|["']$/g, ""), url));
  return [
    ...(tags === (page.match(OWN_TAG)?.length ?? 0)
      ? []
      : ["the page has a script tag of another form than this release writes"]),
    ...elements.map(
      (name) => `the page has an element <${name.toLowerCase()}>, which this release never writes`,
    ),
    ...away.map((target) => `a form or a refresh of the page leads to ${target}`),
  ];
}

/** Whether a target is on the page's own origin. This release needs no character references but one in it. */
function isOwn(target: string, url: URL): boolean {
  if (/&(?!amp;)/.test(target)) return false;
  return URL.parse(target.replaceAll("&amp;", "&"), url.href)?.origin === url.origin;
}

type Tag = { readonly attributes: ReadonlyMap<string, string>; readonly body: string };

function scriptTags(page: string): readonly Tag[] {
  return [...page.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi)].map(
    ([, inside = "", body = ""]) => ({
      // Of an attribute that is there twice browsers take the first.
      attributes: new Map(
        [...inside.matchAll(/([\w-]+)\s*=\s*"([^"]*)"/g)]
          .toReversed()
          .map(([, name = "", value = ""]) => [name.toLowerCase(), value.replaceAll("&amp;", "&")]),
      ),
      body,
    }),
  );
}

async function read(url: string) {
  const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes, text: bytes.toString("utf8") };
}

import { createHash } from "node:crypto";
import { scriptInventory } from "../hosted-page/checkout-frame/script-inventory.ts";
import { buildAssets } from "../platform/assets/build-assets.ts";

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
  const listed = scriptInventory(await buildAssets()) as readonly Listed[];
  const page = await read(url);
  if (page.status !== 200) return { url, scripts: [], problems: [`the page answers ${page.status}`] };
  const problems = [...headerProblems(page.headers, new URL(url).protocol === "https:")];
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

function headerProblems(headers: Headers, https: boolean): readonly string[] {
  const policy = headers.get("content-security-policy") ?? "";
  const scripts = /(?:^|;)\s*script-src ([^;]*)/.exec(policy)?.[1] ?? "";
  return [
    ...(/(?:^|;)\s*default-src 'none'/.test(policy)
      ? []
      : ["the policy does not begin from default-src 'none'"]),
    ...(/'unsafe-|(?:^|\s)(\*|data:|blob:|https?:)(?:\s|$)/.test(scripts)
      ? ["the policy lets any script run"]
      : []),
    ...(/(?:^|;)\s*report-uri \/page-reports(?:;|$)/.test(policy)
      ? []
      : ["the policy does not name the place for reports"]),
    ...(headers.get("x-content-type-options") === "nosniff" ? [] : ["X-Content-Type-Options is not nosniff"]),
    ...(headers.get("referrer-policy") === "no-referrer" ? [] : ["Referrer-Policy is not no-referrer"]),
    ...(!https || headers.has("strict-transport-security") ? [] : ["Strict-Transport-Security is missing"]),
  ];
}

type Tag = { readonly attributes: ReadonlyMap<string, string>; readonly body: string };

function scriptTags(page: string): readonly Tag[] {
  return [...page.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi)].map(
    ([, inside = "", body = ""]) => ({
      attributes: new Map(
        [...inside.matchAll(/([\w-]+)\s*=\s*"([^"]*)"/g)].map(([, name = "", value = ""]) => [
          name.toLowerCase(),
          value.replaceAll("&amp;", "&"),
        ]),
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

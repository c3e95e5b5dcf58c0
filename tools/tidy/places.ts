import { isTest } from "./problem.ts";

/** A feature may use only those before it, so no circle can be written. A new feature gets its place here. */
export const FEATURE_ORDER: readonly string[] = [
  "merchants",
  "acquirer-accounts",
  "events",
  "customers",
  "payment-instruments",
  "transactions",
  "direct-debits",
  "refunds",
  "disputes",
  "hosted-pages",
  "page-reports",
  "payment-requests",
  "receipts",
  "tokens",
  "wallet-domains",
  "card-testing",
  "checkout",
  "charges",
  "acquirer-notifications",
  "acquirer-reconciliation",
  "incoming-transfers",
  "webhooks",
  "deliveries",
  "payouts",
  "sandbox",
];

/**
 * The same for the folders of the platform. `context` is src/platform/context.ts: it composes what stands before it into
 * the context of a verb, and the folders after it run verbs.
 */
export const PLATFORM_ORDER: readonly string[] = [
  "crypto",
  "config",
  "log",
  "db",
  "metrics",
  "cache-invalidation",
  "idempotency",
  "outbox",
  "audit",
  "vault",
  "sealing",
  "egress",
  "mail",
  "cards",
  "images",
  "embedded-postgres",
  "context",
  "jobs",
  "http",
  "assets",
];

export type Kind =
  | "kernel"
  | "port"
  | "wallet tokens"
  | "connector"
  | "simulator"
  | "registry"
  | "platform"
  | "cards"
  | "noun"
  | "feature"
  | "index"
  | "pages"
  | "pages index"
  | "app"
  | "cli"
  | "protocol"
  | "payui"
  | "ui"
  | "paying"
  | "browser app"
  | "package"
  | "example"
  | "tooling"
  | "outside"
  | "unknown";

/** Server-rendered pages. What runs in a browser is in the folder `browser` of each. */
const PAGES: readonly string[] = ["dashboard", "docs-site", "hosted-page"];

/** `unit` is the folder inside which files may import each other freely. */
export type Place = { readonly kind: Kind; readonly unit: string };

const SRC: Readonly<Record<string, Kind>> = {
  kernel: "kernel",
  app: "app",
  cli: "cli",
};
/** Any other folder of connectors is one implementation, which reads no other. */
const CONNECTORS: Readonly<Record<string, Kind>> = {
  ports: "port",
  "wallet-tokens": "wallet tokens",
  sandbox: "simulator",
};
const BROWSER: Readonly<Record<string, Kind>> = {
  protocol: "protocol",
  payui: "payui",
  ui: "ui",
  paying: "paying",
};

export function placeOf(path: string): Place {
  if (isTest(path)) return { kind: "tooling", unit: "" };
  const [top = "", area = "", folder = "", file] = path.split("/");
  const unit = `${top}/${area}/${folder}`;
  if (top === "src" && area === "features") {
    return file === undefined ? { kind: "unknown", unit } : { kind: roleInFeature(path, folder), unit };
  }
  if (top === "src" && area === "connectors") {
    if (file === undefined) return { kind: "registry", unit };
    return { kind: CONNECTORS[folder] ?? "connector", unit };
  }
  if (top === "src" && area === "platform") {
    // Form and gateway share these rules of a card number, so that the price shown is the price charged.
    return {
      kind: folder === "cards" ? "cards" : "platform",
      unit: `${top}/${area}/${platformFolderOf(path)}`,
    };
  }
  if (top === "src" && PAGES.includes(area)) {
    if (folder === "browser") return { kind: "browser app", unit };
    return { kind: folder === "index.ts" ? "pages index" : "pages", unit: `${top}/${area}` };
  }
  if (top === "src") return { kind: (folder !== "" && SRC[area]) || "unknown", unit: `${top}/${area}` };
  if (top === "browser") {
    return { kind: folder === "" ? "unknown" : (BROWSER[area] ?? "browser app"), unit: `${top}/${area}` };
  }
  if (top === "packages") return { kind: "package", unit: `${top}/${area}` };
  if (top === "examples") return { kind: "example", unit: `${top}/${area}` };
  return { kind: "outside", unit: "" };
}

export function platformFolderOf(path: string): string {
  return (path.split("/")[2] ?? "").replace(/\.ts$/, "");
}

export function featureOf(path: string): string {
  return path.split("/")[2] ?? "";
}

function roleInFeature(path: string, feature: string): Kind {
  const file = path.slice(`src/features/${feature}/`.length);
  if (file === "index.ts") return "index";
  return file === `${singular(feature)}.ts` ? "noun" : "feature";
}

function singular(noun: string): string {
  return noun.replace(/ies$/, "y").replace(/s$/, "");
}

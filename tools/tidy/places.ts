import { isTest } from "./offence.ts";

/** A feature may use only those before it, so a circle can't be written. A new feature gets its place here. */
export const FEATURE_ORDER: readonly string[] = [
  "merchants",
  "events",
  "customers",
  "payment-instruments",
  "transactions",
  "direct-debits",
  "refunds",
  "hosted-pages",
  "payids",
  "payment-requests",
  "tokens",
  "wallet-domains",
  "checkout",
  "charges",
  "incoming-transfers",
  "webhooks",
  "deliveries",
  "payouts",
  "sandbox",
  "dashboard-users",
  "dashboard",
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
  | "front door"
  | "wire"
  | "room"
  | "app"
  | "cli"
  | "protocol"
  | "payui"
  | "ui"
  | "paying"
  | "browser app"
  | "package"
  | "example"
  | "workshop"
  | "outside"
  | "unknown";

/** Server-rendered pages, each whole in one place; what runs in a browser is in its folder `browser`. */
const ROOMS: readonly string[] = ["dashboard", "docs-site", "hosted-page"];

/** `unit` is the folder inside which files may import each other freely. */
export type Place = { readonly kind: Kind; readonly unit: string };

const SRC: Readonly<Record<string, Kind>> = {
  kernel: "kernel",
  platform: "platform",
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
  if (isTest(path)) return { kind: "workshop", unit: "" };
  const [top = "", area = "", folder = "", file] = path.split("/");
  const unit = `${top}/${area}/${folder}`;
  if (top === "src" && area === "features") {
    return file === undefined ? { kind: "unknown", unit } : { kind: roleInFeature(path, folder), unit };
  }
  if (top === "src" && area === "connectors") {
    if (file === undefined) return { kind: "registry", unit };
    return { kind: CONNECTORS[folder] ?? "connector", unit };
  }
  // What the form and the gateway must both know of a card number, lest the price shown differ from the price charged.
  if (path.startsWith("src/platform/cards/")) return { kind: "cards", unit: "src/platform" };
  if (top === "src" && ROOMS.includes(area)) {
    return folder === "browser" ? { kind: "browser app", unit } : { kind: "room", unit: `${top}/${area}` };
  }
  if (top === "src") return { kind: (folder !== "" && SRC[area]) || "unknown", unit: `${top}/${area}` };
  if (top === "browser") {
    return { kind: folder === "" ? "unknown" : (BROWSER[area] ?? "browser app"), unit: `${top}/${area}` };
  }
  if (top === "packages") return { kind: "package", unit: `${top}/${area}` };
  if (top === "examples") return { kind: "example", unit: `${top}/${area}` };
  return { kind: "outside", unit: "" };
}

export function featureOf(path: string): string {
  return path.split("/")[2] ?? "";
}

function roleInFeature(path: string, feature: string): Kind {
  const file = path.slice(`src/features/${feature}/`.length);
  if (file === "index.ts") return "front door";
  if (file === "wire.ts") return "wire";
  return file === `${singular(feature)}.ts` ? "noun" : "feature";
}

function singular(noun: string): string {
  return noun.replace(/ies$/, "y").replace(/s$/, "");
}

import { isIP } from "node:net";
import { resolve } from "node:path";
import { AUDIT_SINK } from "./audit-sink.ts";
import { databaseUrlProblem } from "./database-url.ts";
import { checkListenerSettings, dashboardUrlOf, LISTENER_SETTINGS } from "./listener-settings.ts";
import { checkMailSettings, MAIL_SETTINGS } from "./mail-settings.ts";
import {
  choice,
  optionalText,
  originProblem,
  type Setting,
  SettingProblem,
  setting,
  wholeNumber,
} from "./setting.ts";
import { refuseMisspelt } from "./unknown-variables.ts";
import { checkVaultSettings, VAULT_SETTINGS } from "./vault-settings.ts";
import { checkWalletSettings, WALLET_SETTINGS } from "./wallet-settings.ts";

export const ROLES = ["api", "checkout", "worker", "webhooks"] as const;
export type Role = (typeof ROLES)[number];

const PRIVATE_WEBHOOKS = ["off", "loopback", "private"] as const;
export type SandboxPrivateWebhooks = (typeof PRIVATE_WEBHOOKS)[number];

/** Every setting there is. The docs page of settings is made from this table. */
export const SETTINGS = {
  apiPort: wholeNumber({
    variable: "TIDEGATE_API_PORT",
    about: "Port of the API.",
    min: 1,
    max: 65_535,
    standard: 4000,
  }),
  hostedPort: wholeNumber({
    variable: "TIDEGATE_HOSTED_PORT",
    about: "Port of the checkout script and the hosted pages.",
    min: 1,
    max: 65_535,
    standard: 4001,
  }),
  watchPort: wholeNumber({
    variable: "TIDEGATE_WATCH_PORT",
    about:
      "Port for `/healthz`, `/readyz` and `/metrics` alone; a process without the API and the checkout has no other. 0: none.",
    min: 0,
    max: 65_535,
    standard: 0,
  }),
  host: optionalText({
    variable: "TIDEGATE_HOST",
    about: "Address to listen on.",
    allowed: "an IP address or host name of this machine",
    standard: "127.0.0.1",
    problem: (text) => (/^[\w.:-]{1,253}$/.test(text) ? undefined : "is not an address"),
  }),
  baseUrl: optionalText({
    variable: "TIDEGATE_BASE_URL",
    about: "How merchants reach the API; `location` fields begin with it.",
    allowed: "an http or https origin without a path",
    standard: "`http://localhost:` and the API port",
    problem: originProblem,
  }),
  hostedUrl: optionalText({
    variable: "TIDEGATE_HOSTED_URL",
    about: "How payers reach the hosted pages. Never the origin of the API.",
    allowed: "an http or https origin without a path",
    standard: "`http://localhost:` and the hosted port",
    problem: originProblem,
  }),
  payIdDomain: optionalText({
    variable: "TIDEGATE_PAYID_DOMAIN",
    about: "Domain of the PayIDs that are issued.",
    allowed: "a domain name in lower case",
    standard: "`payid.tidegate.test`",
    problem: (text) =>
      /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/.test(text)
        ? undefined
        : "is not a domain name",
  }),
  databaseUrl: optionalText({
    variable: "DATABASE_URL",
    about:
      "Your own PostgreSQL, 15 or newer; `?connect_timeout=…` sets the seconds that a connection may take. Left out, an embedded server keeps its data in the data folder.",
    allowed: "a postgres:// or postgresql:// URL",
    standard: "the embedded server",
    secret: true,
    problem: databaseUrlProblem,
  }),
  databaseOwnerUrl: optionalText({
    variable: "DATABASE_OWNER_URL",
    about:
      "The same database, as the role that owns the tables: for migrations alone. `DATABASE_URL` then names a role without rights on the schema, and `tidegate migrate` grants it what the gateway needs.",
    allowed: "a postgres:// or postgresql:// URL",
    standard: "`DATABASE_URL`",
    secret: true,
    problem: databaseUrlProblem,
  }),
  databaseReadUrl: optionalText({
    variable: "DATABASE_READ_URL",
    about:
      "A streaming replica of `DATABASE_URL`: lists, pages of the dashboard and exports are read there. They show everything that was written before them; where the replica can't, the primary answers.",
    allowed: "a postgres:// or postgresql:// URL",
    standard: "none",
    secret: true,
    problem: databaseUrlProblem,
  }),
  readStalenessMs: wholeNumber({
    variable: "TIDEGATE_READ_STALENESS_MS",
    about:
      "How far the replica may be behind the primary, in milliseconds. A read waits that long for what was written before it; then the primary answers, and the replica is left alone for a second, longer each time.",
    min: 1,
    max: 10_000,
    standard: 200,
  }),
  dataDir: optionalText({
    variable: "TIDEGATE_DATA_DIR",
    about: "Folder of the embedded server's data.",
    allowed: "a path",
    standard: "`.tidegate` in the working directory",
    problem: (text) => (text.trim() === "" ? "is empty" : undefined),
  }),
  databasePoolSize: wholeNumber({
    variable: "TIDEGATE_DATABASE_POOL_SIZE",
    about: "Database connections of this process at the most.",
    min: 2,
    max: 500,
    standard: 16,
  }),
  preparedStatements: choice({
    variable: "TIDEGATE_PREPARED_STATEMENTS",
    about:
      "Named prepared statements. Switch them off behind a pooler in transaction mode that can't keep them.",
    among: ["on", "off"],
    standard: "on",
  }),
  roles: setting<readonly Role[]>({
    variable: "TIDEGATE_ROLES",
    about: "What this process does: answer the API, serve payers, run timed work, deliver webhooks.",
    allowed: `a comma-separated list of ${ROLES.join(", ")}`,
    standard: "all of them",
    read: (text) => {
      if (text === undefined) return { value: ROLES };
      const wanted = text.split(",").map((one) => one.trim());
      const roles = ROLES.filter((role) => wanted.includes(role));
      const unknown = wanted.some((one) => !ROLES.some((role) => role === one));
      return unknown || roles.length === 0
        ? { problem: "names a role that does not exist" }
        : { value: roles };
    },
  }),
  sandboxApiKey: optionalText({
    variable: "TIDEGATE_SANDBOX_API_KEY",
    about:
      "API key of the sandbox merchant that the first start makes, instead of a random one. For tests and demos.",
    allowed: "20 to 128 visible ASCII characters",
    standard: "a random key, printed once",
    secret: true,
    problem: (text) =>
      /^[\x21-\x7e]{20,128}$/.test(text) ? undefined : "is too short, too long or not visible ASCII",
  }),
  sandboxPrivateWebhooks: setting<SandboxPrivateWebhooks | undefined>({
    variable: "TIDEGATE_SANDBOX_PRIVATE_WEBHOOKS",
    about:
      "Whether webhooks and domain verifications of sandbox merchants may reach this machine (`loopback`), and its private networks too (`private`). On a gateway that several merchants share, a merchant could scan the host with it.",
    allowed: PRIVATE_WEBHOOKS.join(", "),
    standard:
      "`loopback` while the gateway listens on loopback only and no live merchant is open, else `off`",
    read: (text) => {
      const value = PRIVATE_WEBHOOKS.find((one) => one === text);
      return text !== undefined && value === undefined ? { problem: "is not one of the choices" } : { value };
    },
  }),
  sandboxSettlementSeconds: wholeNumber({
    variable: "TIDEGATE_SANDBOX_SETTLEMENT_SECONDS",
    about: "How long everything asynchronous takes in the sandbox: refunds, debits, transfers.",
    min: 0,
    max: 86_400,
    standard: 5,
  }),
  rateLimit: wholeNumber({
    variable: "TIDEGATE_RATE_LIMIT",
    about:
      "Requests a second that one API key may make on one node, twice that in a burst; 0 switches the limit off.",
    min: 0,
    max: 1_000_000,
    standard: 1000,
  }),
  secondFactor: choice({
    variable: "TIDEGATE_SECOND_FACTOR",
    about:
      "Who must set up a second factor before anything else in the dashboard. `automatic`: operators and merchants' admins, once a live merchant is open. `required`: every user. `optional`: no user; then no live merchant can be open.",
    among: ["automatic", "optional", "required"],
    standard: "automatic",
  }),
  ...VAULT_SETTINGS,
  auditSink: AUDIT_SINK,
  ...WALLET_SETTINGS,
  ...LISTENER_SETTINGS,
  ...MAIL_SETTINGS,
  trustedProxies: optionalText({
    variable: "TIDEGATE_TRUSTED_PROXIES",
    about: "Proxies whose `X-Forwarded-*` headers are believed. None unless named.",
    allowed: "a comma-separated list of IP addresses and CIDR ranges",
    standard: "none",
    problem: (text) => (text.split(",").every(isAddressRange) ? undefined : "is not such a list"),
  }),
  logLevel: choice({
    variable: "TIDEGATE_LOG_LEVEL",
    about: "How much is logged to standard error, one JSON object a line.",
    among: ["debug", "info", "warn", "error", "silent"],
    standard: "info",
  }),
} as const;

type Values = {
  readonly [Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name] extends Setting<infer Value>
    ? Value
    : never;
};

/** All settings, checked, with the values that follow from others filled in. */
export type Settings = Omit<
  Values,
  "host" | "baseUrl" | "hostedUrl" | "dashboardUrl" | "payIdDomain" | "dataDir"
> & {
  readonly host: string;
  readonly baseUrl: string;
  readonly hostedUrl: string;
  /** The base URL, unless the dashboard has an origin of its own. */
  readonly dashboardUrl: string;
  readonly payIdDomain: string;
  readonly dataDir: string;
  /** Variables that look like settings and are none; they have no effect. */
  readonly unknownVariables: readonly string[];
};

/** Reads and checks all settings; the only place that reads the environment. An empty variable counts as unset. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const values = Object.fromEntries(
    Object.entries(SETTINGS).map(([name, one]) => {
      const text = environment[one.variable];
      const outcome = one.read(text === "" ? undefined : text);
      if ("problem" in outcome) throw new SettingProblem(one.variable, outcome.problem, one.allowed);
      return [name, outcome.value];
    }),
  ) as Values;
  const known = Object.values(SETTINGS).map(({ variable }) => variable);
  return { ...complete(values), unknownVariables: refuseMisspelt(environment, known) };
}

/** `10.0.0.0/8`, `::1`: an address, or the first so many bits of one. */
function isAddressRange(text: string): boolean {
  const [address = "", bits, ...more] = text.trim().split("/");
  const width = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (width < 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= width);
}

function complete(values: Values): Omit<Settings, "unknownVariables"> {
  checkVaultSettings(values);
  for (const beside of ["databaseOwnerUrl", "databaseReadUrl"] as const) {
    if (values[beside] === undefined || values.databaseUrl !== undefined) continue;
    const { variable, allowed } = SETTINGS.databaseUrl;
    throw new SettingProblem(variable, `is missing beside ${SETTINGS[beside].variable}`, allowed);
  }
  checkMailSettings(values);
  checkWalletSettings(values);
  checkListenerSettings(values);
  if (values.apiPort === values.hostedPort) {
    const same = `is the port of the API, ${SETTINGS.apiPort.variable}`;
    throw new SettingProblem(SETTINGS.hostedPort.variable, same, "a port of its own");
  }
  if (values.watchPort === values.apiPort || values.watchPort === values.hostedPort) {
    const { variable } = SETTINGS.watchPort;
    throw new SettingProblem(variable, "is the port of the API or of the checkout", "a port of its own");
  }
  const scheme = values.tlsCertFile === undefined ? "http" : "https";
  const baseUrl = new URL(values.baseUrl ?? `${scheme}://localhost:${values.apiPort}`).origin;
  const hostedUrl = new URL(values.hostedUrl ?? `${scheme}://localhost:${values.hostedPort}`).origin;
  if (baseUrl === hostedUrl) {
    throw new SettingProblem(SETTINGS.hostedUrl.variable, "is the origin of the API", "an origin of its own");
  }
  return {
    ...values,
    host: values.host ?? "127.0.0.1",
    baseUrl,
    hostedUrl,
    dashboardUrl: dashboardUrlOf(values, { scheme, baseUrl, hostedUrl }),
    payIdDomain: values.payIdDomain ?? "payid.tidegate.test",
    dataDir: resolve(values.dataDir ?? ".tidegate"),
  };
}

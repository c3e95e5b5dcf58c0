import { parseKeyList } from "../crypto/key-list.ts";
import {
  optionalText,
  originProblem,
  type Setting,
  SettingProblem,
  setting,
  wholeNumber,
} from "./setting.ts";

const file = (variable: string, about: string, standard = "none") =>
  optionalText({
    variable,
    about,
    allowed: "a path to a readable file",
    standard,
    problem: (text) => (text.trim() === "" ? "is empty" : undefined),
  });

const key = (variable: string, about: string, standard: string) =>
  optionalText({
    variable,
    about,
    allowed: "base64 or hex of 32 random bytes; several with commas between",
    standard,
    secret: true,
    problem: (text) => (parseKeyList(text) === undefined ? "is not a list of such keys" : undefined),
  });

/** A path of the key service, such as `transit` or `team/transit`. */
const path = (variable: string, about: string, standard: string) =>
  optionalText({
    variable,
    about,
    allowed: "letters, digits, dots, hyphens and underscores, with slashes between",
    standard,
    problem: (text) =>
      text.length <= 128 && /^\w[\w.-]*(\/\w[\w.-]*)*$/.test(text) ? undefined : "is not such a path",
  });

/** The master key of the vault, and the limit on uses of what it protects. `docs/guides/vault.md` explains each. */
export const VAULT_SETTINGS = {
  vaultKey: key(
    "TIDEGATE_VAULT_KEY",
    "Master key of the vault; every node needs the same. The first wraps, more of them unwrap what they once wrapped. Live merchants need a file, shares or a key service; with this, `doctor` warns.",
    "made at the first start, in `vault.key`",
  ),
  vaultKeyFile: file(
    "TIDEGATE_VAULT_KEY_FILE",
    "File that holds the master key instead, one a line.",
    "`vault.key` in the data folder of the embedded server; with your own server in `.tidegate` of the user's home",
  ),
  vaultKeyShares: setting<readonly string[] | undefined>({
    variable: "TIDEGATE_VAULT_KEY_SHARES",
    about:
      "Files that hold the shares of the master key instead, one for each custodian (`tidegate vault key --shares 3`). The key itself is on no disk.",
    allowed: "a comma-separated list of all share files",
    standard: "none",
    read: (text) => {
      if (text === undefined) return { value: undefined };
      const files = text.split(",").map((one) => one.trim());
      return files.length < 2 || files.includes("")
        ? { problem: "does not name every share" }
        : { value: files };
    },
  }),
  textKey: key(
    "TIDEGATE_TEXT_KEY",
    "A master key of its own for signing keys and passwords of webhooks, second factors and acquirers' settings. A node that only has the role webhooks then needs no key to card numbers. Every node needs the same.",
    "the vault's master key protects them, too",
  ),
  textKeyFile: file("TIDEGATE_TEXT_KEY_FILE", "File that holds that key instead, one a line."),
  transitUrl: optionalText({
    variable: "TIDEGATE_TRANSIT_URL",
    about:
      "Key service that wraps the vault's keys: HashiCorp Vault or OpenBao with the transit engine. The master key never leaves it.",
    allowed: "an https origin; http for this machine alone",
    standard: "none",
    problem: (text) => {
      const problem = originProblem(text);
      if (problem !== undefined) return problem;
      const { protocol, hostname } = new URL(text);
      return protocol === "https:" || /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
        ? undefined
        : "must be https";
    },
  }),
  transitKey: path("TIDEGATE_TRANSIT_KEY", "Name of the transit key that wraps the vault's keys.", "none"),
  transitTextKey: path(
    "TIDEGATE_TRANSIT_TEXT_KEY",
    "Name of a second transit key, in place of `TIDEGATE_TEXT_KEY`.",
    "none",
  ),
  transitMount: path("TIDEGATE_TRANSIT_MOUNT", "Where the transit engine is mounted.", "`transit`"),
  transitNamespace: path("TIDEGATE_TRANSIT_NAMESPACE", "Namespace of the key service.", "none"),
  transitTokenFile: file(
    "TIDEGATE_TRANSIT_TOKEN_FILE",
    "File that holds the token for the key service; read again when the token is refused, so that an agent may renew it.",
  ),
  transitRoleIdFile: file("TIDEGATE_TRANSIT_ROLE_ID_FILE", "File with the role id, to sign in by AppRole."),
  transitSecretIdFile: file("TIDEGATE_TRANSIT_SECRET_ID_FILE", "File with the secret id of that role."),
  transitAppRoleMount: path(
    "TIDEGATE_TRANSIT_APPROLE_MOUNT",
    "Where the AppRole method is mounted.",
    "`approle`",
  ),
  transitCaFile: file(
    "TIDEGATE_TRANSIT_CA_FILE",
    "Certificate authority (PEM) of the key service.",
    "the public ones",
  ),
  transitTimeoutMs: wholeNumber({
    variable: "TIDEGATE_TRANSIT_TIMEOUT_MS",
    about: "For how many milliseconds a call to the key service may take.",
    min: 100,
    max: 30_000,
    standard: 3_000,
  }),
  vaultUsesPerMinute: wholeNumber({
    variable: "TIDEGATE_VAULT_USES_PER_MINUTE",
    about:
      "Stored numbers that one merchant may use within a minute on one node. More are refused with 429, work of the gateway's own waits, and an alarm goes off: an audit entry, a metric, a log line. 0 switches the limit off.",
    min: 0,
    max: 1_000_000,
    standard: 30_000,
  }),
} as const;

type Name = keyof typeof VAULT_SETTINGS;
type Values = {
  readonly [One in Name]: (typeof VAULT_SETTINGS)[One] extends Setting<infer Value> ? Value : never;
};

/** One place for each master key, and a key service that is set up completely or not at all. */
export function checkVaultSettings(values: Values): void {
  const among = (names: readonly Name[]) => names.filter((name) => values[name] !== undefined);
  for (const names of [
    ["vaultKey", "vaultKeyFile", "vaultKeyShares"],
    ["textKey", "textKeyFile", "transitTextKey"],
  ] as const) {
    const [first, second] = among(names);
    if (first !== undefined && second !== undefined)
      fail(second, `is set beside ${nameOf(first)}`, "one of the two");
  }
  const [given] = among([
    "transitKey",
    "transitTextKey",
    "transitMount",
    "transitNamespace",
    "transitTokenFile",
    "transitRoleIdFile",
    "transitSecretIdFile",
    "transitAppRoleMount",
    "transitCaFile",
  ]);
  if (values.transitUrl === undefined) {
    if (given !== undefined) fail("transitUrl", `is missing beside ${nameOf(given)}`);
    return;
  }
  if (among(["transitKey", "transitTextKey"]).length === 0)
    fail("transitKey", `is missing beside ${nameOf("transitUrl")}`);
  const role = among(["transitRoleIdFile", "transitSecretIdFile"]);
  if (role.length === 1)
    fail(
      role[0] === "transitRoleIdFile" ? "transitSecretIdFile" : "transitRoleIdFile",
      `is missing beside ${nameOf(role[0] ?? "transitUrl")}`,
    );
  if (values.transitTokenFile === undefined && role.length === 0)
    fail(
      "transitTokenFile",
      `is missing beside ${nameOf("transitUrl")}`,
      "a token file, or the two files of an AppRole",
    );
  if (values.transitTokenFile !== undefined && role.length > 0)
    fail("transitTokenFile", `is set beside ${nameOf("transitRoleIdFile")}`, "one of the two");
}

function nameOf(name: Name): string {
  return VAULT_SETTINGS[name].variable;
}

function fail(name: Name, problem: string, allowed = VAULT_SETTINGS[name].allowed): never {
  throw new SettingProblem(nameOf(name), problem, allowed);
}

/**
 * Whether this node works without the key to card numbers: it only delivers webhooks, has a key for their secrets, and was
 * given no other.
 */
export function holdsNoVaultKey(
  values: Pick<Values, "vaultKey" | "vaultKeyFile" | "vaultKeyShares" | "transitKey"> &
    Pick<Values, "textKey" | "textKeyFile" | "transitTextKey"> & { readonly roles: readonly string[] },
): boolean {
  const { vaultKey, vaultKeyFile, vaultKeyShares, transitKey, textKey, textKeyFile, transitTextKey } = values;
  return (
    (vaultKey ?? vaultKeyFile ?? vaultKeyShares ?? transitKey) === undefined &&
    (textKey ?? textKeyFile ?? transitTextKey) !== undefined &&
    needsNoVault(values.roles)
  );
}

/** Delivering webhooks is the one role that never touches a card or account number. */
function needsNoVault(roles: readonly string[]): boolean {
  return roles.every((role) => role === "webhooks");
}

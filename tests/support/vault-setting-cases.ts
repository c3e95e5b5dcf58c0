import type { VAULT_SETTINGS } from "../../src/platform/config/vault-settings.ts";

/** Both sides of every variable of the vault. */
export const VAULT_SETTING_CASES: Readonly<
  Record<keyof typeof VAULT_SETTINGS, { taken: readonly string[]; refused: readonly string[] }>
> = {
  vaultKey: {
    taken: [
      Buffer.alloc(32, "k").toString("base64"),
      Buffer.alloc(32, "k").toString("base64url"),
      "A0".repeat(32),
      `${"a0".repeat(32)},${"b1".repeat(32)}`,
      Array(8).fill("a0".repeat(32)).join(", "),
    ],
    refused: [
      "a0".repeat(31),
      "a0".repeat(33),
      "secret",
      ",",
      `${"a0".repeat(32)},secret`,
      Buffer.alloc(31, "k").toString("base64"),
      Buffer.alloc(33, "k").toString("base64"),
      Array(9).fill("a0".repeat(32)).join(","),
    ],
  },
  vaultKeyFile: { taken: ["/run/secrets/vault-key"], refused: [" "] },
  vaultKeyShares: { taken: ["/a/1,/b/2", "/a/1, /b/2 ,/c/3"], refused: ["/a/1", "/a/1,", ",", " "] },
  textKey: { taken: ["A0".repeat(32)], refused: ["A0".repeat(31), "x", "A0".repeat(32).concat(",x")] },
  textKeyFile: { taken: ["/run/secrets/text-key"], refused: [" "] },
  // Taken together only; the tests below do that.
  transitUrl: {
    taken: [],
    refused: [
      "vault.example",
      "http://vault.example:8200",
      "https://vault.example/v1",
      "https://a:secret-word@vault.example",
      "ftp://vault.example",
    ],
  },
  transitKey: { taken: [], refused: ["a b", "../x", "/x", "x/", "x".repeat(129), "a//b"] },
  transitTextKey: { taken: [], refused: ["a b"] },
  transitMount: { taken: [], refused: ["/transit", "a?b", "a%2fb"] },
  transitNamespace: { taken: [], refused: [" ", "a b"] },
  transitTokenFile: { taken: [], refused: [" "] },
  transitRoleIdFile: { taken: [], refused: [" "] },
  transitSecretIdFile: { taken: [], refused: [" "] },
  transitAppRoleMount: { taken: [], refused: ["a b"] },
  transitCaFile: { taken: [], refused: [" "] },
  transitTimeoutMs: { taken: ["100", "30000"], refused: ["99", "30001", "x"] },
  vaultUsesPerMinute: { taken: ["0", "1", "1000000"], refused: ["-1", "1000001", "x"] },
};

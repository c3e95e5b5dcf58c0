import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Refusal } from "../kernel/refusal.ts";
import type { CardAcquirer } from "./ports/card-acquirer.ts";
import type { Connectors } from "./ports/connectors.ts";
import { type Connector, createRegistry } from "./registry.ts";

/** Implements every port, and can be recognised by what a lookup returns. */
function connectorWithEveryPort(): Required<Connector> {
  return {
    acquirer: {} as Required<Connector>["acquirer"],
    threeDSecure: {} as Required<Connector>["threeDSecure"],
    debitBank: {} as Required<Connector>["debitBank"],
    debitFiles: {} as Required<Connector>["debitFiles"],
    payIdRail: {} as Required<Connector>["payIdRail"],
    apple_pay: {} as Required<Connector>["apple_pay"],
    google_pay: {} as Required<Connector>["google_pay"],
  };
}

const FULL = {
  sandbox: { ...connectorWithEveryPort(), cardAcquirer: {} as CardAcquirer },
  "bank-files": connectorWithEveryPort(),
  "apple-pay": connectorWithEveryPort(),
  "google-pay": connectorWithEveryPort(),
};
const SANDBOX = { mode: "sandbox" } as const;
const LIVE = { mode: "live" } as const;

/** Every lookup for a merchant; a refusal is its code, an error its message. */
function lookUpAll(connectors: Connectors, merchant: typeof SANDBOX | typeof LIVE) {
  const orCode = (get: () => unknown) => {
    try {
      return get();
    } catch (error) {
      if (error instanceof Refusal) return error.problems.map(({ code }) => code).join();
      return (error as Error).message;
    }
  };
  return {
    threeDSecure: orCode(() => connectors.getThreeDSecure(merchant)),
    debitBank: connectors.findDebitBank(merchant),
    debitFiles: orCode(() => connectors.getDebitFiles(merchant)),
    payIdRail: connectors.findPayIdRail(merchant),
    apple_pay: connectors.findWallet(merchant, "apple_pay"),
    google_pay: connectors.findWallet(merchant, "google_pay"),
  };
}

describe("the registry of connectors", () => {
  test("a live merchant never reaches a simulator", () => {
    const found = lookUpAll(createRegistry(FULL), LIVE);
    assert.deepEqual(found, {
      threeDSecure: "checkout_acquirer_missing",
      debitBank: undefined,
      debitFiles: FULL["bank-files"].debitFiles,
      payIdRail: undefined,
      apple_pay: FULL["apple-pay"].apple_pay,
      google_pay: FULL["google-pay"].google_pay,
    });
    const simulators = new Set<unknown>(Object.values(FULL.sandbox));
    for (const [port, one] of Object.entries(found)) assert.ok(!simulators.has(one), port);
  });

  test("a sandbox merchant gets the sandbox for every port, and real debit files", () => {
    const found = Object.entries(lookUpAll(createRegistry(FULL), SANDBOX));
    const { debitFiles } = FULL["bank-files"];
    const { acquirer: _, cardAcquirer: __, ...ports } = FULL.sandbox;
    const expected = new Map<string, unknown>(Object.entries({ ...ports, debitFiles }));
    for (const [port, one] of found) assert.equal(one, expected.get(port), port);
    assert.equal(found.length, expected.size);
  });

  test("a connector that is not set up is missing, and no other takes its place", () => {
    const missing = {
      threeDSecure: "checkout_acquirer_missing",
      debitBank: undefined,
      debitFiles: "no connector for debit files",
      payIdRail: undefined,
      apple_pay: undefined,
      google_pay: undefined,
    };
    assert.deepEqual(lookUpAll(createRegistry({ sandbox: FULL.sandbox }), LIVE), missing);
    const { sandbox: _, "bank-files": __, ...live } = FULL;
    assert.deepEqual(
      lookUpAll(createRegistry({ ...live, sandbox: { cardAcquirer: FULL.sandbox.cardAcquirer } }), SANDBOX),
      missing,
    );
  });
});

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Refusal } from "../kernel/refusal.ts";
import { BANK_FILES } from "./bank-files/bank-files.ts";
import type { Connectors } from "./ports/connectors.ts";
import { type Connector, type ConnectorTable, createRegistry } from "./registry.ts";

/** Implements every port, and can be recognised by what a lookup returns. */
function connectorWithEveryPort(): Required<Connector> {
  return {
    cardAcquirer: {} as Required<Connector>["cardAcquirer"],
    threeDSecure: {} as Required<Connector>["threeDSecure"],
    debitBank: {} as Required<Connector>["debitBank"],
    payIdRail: {} as Required<Connector>["payIdRail"],
    applePay: {} as Required<Connector>["applePay"],
    googlePay: {} as Required<Connector>["googlePay"],
  };
}

const FULL = {
  sandbox: connectorWithEveryPort(),
  "apple-pay": connectorWithEveryPort(),
  "google-pay": connectorWithEveryPort(),
};
const SANDBOX = { mode: "sandbox" } as const;
const LIVE = { mode: "live" } as const;

const registryOf = (table: ConnectorTable): Connectors => createRegistry(table, BANK_FILES);

/** Every lookup for a merchant; a refusal is its code. */
function lookUpAll(connectors: Connectors, merchant: typeof SANDBOX | typeof LIVE) {
  const orCode = (get: () => unknown) => {
    try {
      return get();
    } catch (error) {
      if (error instanceof Refusal) return error.problems.map(({ code }) => code).join();
      throw error;
    }
  };
  return {
    cardAcquirer: orCode(() => connectors.getCardAcquirer(merchant)),
    threeDSecure: orCode(() => connectors.getThreeDSecure(merchant)),
    debitBank: connectors.findDebitBank(merchant),
    payIdRail: connectors.findPayIdRail(merchant),
    applePay: connectors.findApplePay(merchant),
    googlePay: connectors.findGooglePay(merchant),
  };
}

describe("the registry of connectors", () => {
  test("a live merchant never reaches a simulator", () => {
    const found = lookUpAll(registryOf(FULL), LIVE);
    assert.deepEqual(found, {
      cardAcquirer: "checkout_acquirer_missing",
      threeDSecure: "checkout_acquirer_missing",
      debitBank: undefined,
      payIdRail: undefined,
      applePay: FULL["apple-pay"].applePay,
      googlePay: FULL["google-pay"].googlePay,
    });
    const simulators = new Set<unknown>(Object.values(FULL.sandbox));
    for (const [port, one] of Object.entries(found)) assert.ok(!simulators.has(one), port);
  });

  test("a sandbox merchant gets the sandbox for every port", () => {
    const found = Object.entries(lookUpAll(registryOf(FULL), SANDBOX));
    const simulators = new Map<string, unknown>(Object.entries(FULL.sandbox));
    for (const [port, one] of found) assert.equal(one, simulators.get(port), port);
    assert.equal(found.length, simulators.size);
  });

  test("a connector that is not set up is missing, and no other takes its place", () => {
    const missing = {
      cardAcquirer: "checkout_acquirer_missing",
      threeDSecure: "checkout_acquirer_missing",
      debitBank: undefined,
      payIdRail: undefined,
      applePay: undefined,
      googlePay: undefined,
    };
    assert.deepEqual(lookUpAll(registryOf({ sandbox: FULL.sandbox }), LIVE), missing);
    const { sandbox: _, ...live } = FULL;
    assert.deepEqual(lookUpAll(registryOf(live), SANDBOX), missing);
  });
});

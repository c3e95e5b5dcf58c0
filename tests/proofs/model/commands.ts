import assert from "node:assert/strict";
import fc from "fast-check";
import { callApi } from "../../support/checkout.ts";
import { changeAccount, changeDomains } from "./account-commands.ts";
import { at, type Command, command } from "./command.ts";
import {
  addAccount,
  changeCustomer,
  changeInstrument,
  createCustomer,
  deleteInstrument,
} from "./customer-commands.ts";
import { listDeliveries } from "./delivery-commands.ts";
import { listEvents } from "./event-commands.ts";
import { listCommand } from "./list-commands.ts";
import { count } from "./model.ts";
import { cancelRequest, createPayIdRequest, createRequest, pay, transfer } from "./request-commands.ts";
import { advance, runSettlements } from "./time-commands.ts";
import { captureOrVoid, charge, refund, respond } from "./transaction-commands.ts";
import {
  changeSettings,
  changeWebhook,
  createWebhook,
  deleteWebhook,
  redeliver,
  redeliverPeriod,
  rotateKey,
  testWebhook,
} from "./webhook-commands.ts";

const repeatKey = at.map(
  (place): Command => ({
    check: ({ keys }) => keys.length > 0,
    toString: () => `repeat a key ${place}`,
    run: async (model, real) => {
      const { key, path, body, id } = model.keys[place % model.keys.length] ?? assert.fail();
      count(model, "calls");
      const shop = { ...real.shop(), headers: { "x-idempotency-key": key } };
      const repeat = await callApi(shop, "POST", path, body);
      assert.equal(repeat.status, 409);
      assert.equal(repeat.body.result.codes[0].id, "V10018");
      assert.deepEqual([repeat.body.original.id, repeat.body.original.status], [id, "done"]);
    },
  }),
);

const crash = fc.constant(
  command("kill the gateway", async (model, real) => {
    await real.crash();
    count(model, "crashes");
  }),
);

const weighing = (weight: number) => (arbitrary: fc.Arbitrary<Command>) => ({ weight, arbitrary });

/** A kill costs as much time as fifty calls. */
export const COMMANDS: fc.Arbitrary<Command> = fc.oneof(
  ...[crash, advance, changeDomains, rotateKey, changeSettings, redeliverPeriod].map(weighing(1)),
  ...[deleteInstrument, changeAccount, createWebhook, changeWebhook, deleteWebhook, testWebhook].map(
    weighing(2),
  ),
  ...[createCustomer, changeCustomer, changeInstrument, cancelRequest].map(weighing(3)),
  ...[repeatKey, listEvents, listDeliveries, redeliver, runSettlements].map(weighing(3)),
  ...[addAccount, createPayIdRequest, transfer, captureOrVoid, respond].map(weighing(6)),
  ...[createRequest, pay, charge, refund].map(weighing(9)),
  ...[listCommand].map(weighing(15)),
);

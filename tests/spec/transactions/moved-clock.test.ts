import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { advanceClock, getTransaction, payOnce, type Shop, shopOf } from "../../support/checkout.ts";
import { eventually } from "../../support/eventually.ts";
import { withAcquirer } from "../../support/fake-acquirer.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { assertInvariantsAndStop } from "../../support/invariants.ts";

const DAY = 86_400;

describe("contract 5: an authorisation expires after 7 days of the merchant's clock", () => {
  let gateway: TestGateway;
  let shop: Shop;
  let movesBy = 0;
  before(async () => {
    gateway = await startTestGateway({
      wrapContext: (ctx) =>
        withAcquirer(ctx, ({ authorise }) => ({
          authorise: async (request, signal) => {
            if (movesBy > 0) await advanceClock(shop, movesBy);
            return authorise(request, signal);
          },
        })),
    });
    shop = shopOf(gateway);
  });
  after(() => assertInvariantsAndStop(gateway));

  const held = { category: { captureType: "manual" } } as const;
  const storing = { customerRequest: { paymentInstrument: "create" } } as const;

  for (const [what, pay] of [
    ["a payment", () => payOnce(shop, held)],
    ["one that stores the card", () => payOnce(shop, { ...held, ...storing }, { consent: true })],
  ] as const)
    test(`${what}, also where the clock was moved while the acquirer worked`, async () => {
      movesBy = 3 * DAY;
      const { transactionId: id } = await pay();
      movesBy = 0;
      assert.equal((await getTransaction(shop, id)).captureStatus, "uncaptured");
      await advanceClock(shop, 4 * DAY + 60);
      const isExpired = async () => (await getTransaction(shop, id)).captureStatus === "expired";
      await eventually("it has expired", isExpired);
    });
});

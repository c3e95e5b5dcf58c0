import assert from "node:assert/strict";
import { assertRefused } from "./answers.ts";
import type { Answer } from "./calls.ts";
import { callApi, createRequest, eventsOf, getRequest, ok, openFrameOn, type Shop } from "./checkout.ts";
import { eventually } from "./eventually.ts";
import { payIds } from "./payid-races.ts";
import { accepted, LAG_MS, onlyOne, ownMerchant, post, type Race } from "./race.ts";
import { REGISTERED_PAGE } from "./wallets.ts";

const AMOUNT = 3_000;
const DOMAINS = "/management/applepaydomains";

type Registration = { readonly domain: string; readonly registeredDateTime: string };

const register = (domain: string) => post(DOMAINS, { domains: [domain] });
const remove = (shop: Shop) => callApi(shop, "DELETE", DOMAINS, { domains: ["localhost"] });

/** When the domain was registered, as the answer shows it; undefined: it is not. */
function momentIn(answer: Answer): string | undefined {
  const { domains, registrations } = ok(answer);
  assert.deepEqual(
    registrations.map(({ domain }: Registration) => domain),
    domains,
  );
  return registrations.find(({ domain }: Registration) => domain === "localhost")?.registeredDateTime;
}

/** Both nodes list the same and offer Apple Pay accordingly, and the database agrees. Returns when it was registered. */
async function settledMoment(
  { near, far, id }: { readonly near: Shop; readonly far: Shop; readonly id: string },
  rowsOf: (text: string, values: readonly unknown[]) => Promise<readonly unknown[]>,
): Promise<string | undefined> {
  const moments: (string | undefined)[] = [];
  for (const shop of [near, far]) {
    moments.push(momentIn(await callApi(shop, "GET", DOMAINS)));
    const request = await createRequest(shop, { paymentMethods: ["card", "apple_pay"] });
    const { shown } = await openFrameOn(shop, request.id, REGISTERED_PAGE);
    const offered = shown.wallets.map(({ type }: { type: string }) => type);
    assert.deepEqual(offered, moments[0] === undefined ? [] : ["apple_pay"]);
  }
  assert.equal(moments[1], moments[0]);
  const rows = await rowsOf("select domain from wallet_domains where merchant_id = $1", [id]);
  assert.deepEqual(rows, moments[0] === undefined ? [] : [{ domain: "localhost" }]);
  return moments[0];
}

/** What one request or one account has at a time: a PayID, a domain. */
export const OWNERSHIP_RACES: readonly Race[] = [
  {
    name: "cancel a PayID request, create one for its value",
    // A create that finds the PayID taken looks whether its request is overdue, and tries again: most cancels overtake it.
    lagMs: LAG_MS,
    outcomes: ["taken", "free again"],
    prepare: async ({ database, near, far, name }) => {
      const value = `again-${process.pid}-${name}`;
      const first = await payIds(near).request({ amount: AMOUNT, value });
      const create = post("/paymentrequests", {
        payment: { amount: AMOUNT, instrument: { payId: { type: "single", value } } },
      });
      return {
        verbs: [post(`/paymentrequests/${first.id}/cancel`), create],
        check: async ([cancelled = [], made = []]) => {
          onlyOne(cancelled);
          assert.ok(accepted(made).length <= 1, "two open requests have one PayID");
          for (const answer of made)
            if (answer.status !== 200)
              assertRefused(answer, 409, ["V11135", "/payment/instrument/payId/value"]);
          const isTaken = accepted(made).length === 0;
          const open = ok(accepted(made)[0] ?? (await create(far)));
          assertRefused(await create(near), 409, ["V11135", "/payment/instrument/payId/value"]);
          assert.deepEqual(
            await database.rows(
              "select id, status from payment_requests where payid_value = $1 order by id",
              [value],
            ),
            [
              { id: first.id, status: "cancelled" },
              { id: open.id, status: "created" },
            ].toSorted((one, other) => (one.id < other.id ? -1 : 1)),
          );
          // The rail has released the first by then, and the PayID is the other's all the same.
          await eventually("the cancelled request's PayID is released", async () => {
            const released = await database.rows(
              "select from sandbox_ledger where ledger = 'payid' and kind = 'release' and reference = $1",
              [first.id],
            );
            return released.length === 1;
          });
          const { email } = open.payment.instrument.payId;
          assert.equal(email, first.payId);
          assert.equal((await payIds(far).pay(email, AMOUNT)).status, "accepted");
          const [ended, paid] = [await getRequest(near, first.id), await getRequest(near, open.id)];
          assert.deepEqual(
            [ended.paymentRequestStatus, ended.transactionResult, paid.paymentRequestStatus],
            ["cancelled", undefined, "completed"],
          );
          assert.deepEqual(
            await database.rows(
              "select payment_request_id as id, amount::int from transactions where payment_request_id = any ($1)",
              [[first.id, open.id]],
            ),
            [{ id: open.id, amount: AMOUNT }],
          );
          assert.equal((await payIds(near).pay(email, AMOUNT)).status, "returned");
          const events = await eventsOf(far, first.id);
          assert.deepEqual(
            events.map(
              ({ payload }: { payload: { paymentRequestStatus: string } }) => payload.paymentRequestStatus,
            ),
            ["created", "cancelled"],
          );
          return isTaken ? "taken" : "free again";
        },
      };
    },
  },
  {
    name: "register an Apple Pay domain, remove it",
    outcomes: ["registered last", "removed last"],
    prepare: async (field) => {
      const own = await ownMerchant(field);
      const first = momentIn(await register("localhost")(own.near));
      return {
        verbs: [own.of(register("localhost")), own.of(remove)],
        check: async ([registered = [], removed = []]) => {
          const moments = new Set(registered.map(momentIn));
          assert.ok(!moments.has(undefined), "a registration is not in its own answer");
          for (const answer of removed)
            if (answer.status === 200) assert.equal(momentIn(answer), undefined);
            else assertRefused(answer, 404, ["V12103", "/domains/0"]);
          // Between two removals that succeed lies one registration that does, with its own moment.
          moments.delete(first);
          const last = await settledMoment(own, field.database.rows);
          const isRegistered = last !== undefined;
          assert.equal(accepted(removed).length, moments.size + (isRegistered ? 0 : 1));
          if (isRegistered)
            assert.ok(moments.size === 0 ? last === first : moments.has(last), "the moment is no answer's");
          return isRegistered ? "registered last" : "removed last";
        },
      };
    },
  },
  {
    name: "register an Apple Pay domain, register it",
    prepare: async (field) => {
      const own = await ownMerchant(field);
      return {
        verbs: [own.of(register("localhost")), own.of(register("LOCALHOST"))],
        check: async (answers) => {
          const moments = new Set(answers.flat().map(momentIn));
          assert.deepEqual([...moments], [await settledMoment(own, field.database.rows)]);
          ok(await remove(own.far));
          assert.equal(await settledMoment(own, field.database.rows), undefined);
        },
      };
    },
  },
];

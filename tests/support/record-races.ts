import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { assertRefused } from "./answers.ts";
import type { Answer } from "./calls.ts";
import { callApi, createRequest, eventsOf, getTransaction, ok, openFrame, type Shop } from "./checkout.ts";
import { eventually } from "./eventually.ts";
import { accepted, type Field, onlyOne, ownMerchant, type Race, type Verb } from "./race.ts";
import { startReceiver } from "./receiver.ts";

/** What the other node still has in memory of an account: at most this old. */
const APPLIES_WITHIN_MS = 5_000;
const PRICE = 3_000;

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
type Version = { readonly updatedDateTime: string; readonly [name: string]: any };

/**
 * Each version is later than the one before it and differs from it in exactly one of these values: no change was lost, and
 * none undid another. Returns what changed, in order.
 */
function changesBetween(
  versions: readonly Version[],
  valuesOf: (version: Version) => Readonly<Record<string, unknown>>,
): readonly string[] {
  return versions.slice(1).map((version, index) => {
    const before = versions[index] as Version;
    assert.ok(before.updatedDateTime < version.updatedDateTime, "two versions have one time");
    const [old, now] = [valuesOf(before), valuesOf(version)];
    const changed = Object.keys(now).filter((name) => !isDeepStrictEqual(old[name], now[name]));
    const both = JSON.stringify([old, now]);
    assert.equal(changed.length, 1, `one change changed ${changed.length} values: ${both}`);
    return changed[0] ?? "";
  });
}

const byTime = (one: Version, other: Version) => (one.updatedDateTime < other.updatedDateTime ? -1 : 1);

/** Sends the change; a call that succeeds answers with what it has changed. */
function changing<Body extends object>(
  path: string,
  bodyOf: () => Body,
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
  shows: (answer: any, body: Body) => boolean,
): (shop: Shop) => Promise<Answer> {
  return async (shop) => {
    const body = bodyOf();
    const answer = await callApi(shop, "PUT", path, body);
    if (answer.status === 200)
      assert.ok(
        shows(answer.body, body),
        `${JSON.stringify(body)} is answered ${JSON.stringify(answer.body)}`,
      );
    return answer;
  };
}

/** A customer, and a count of the trial's changes of it. */
async function aCustomer({ near, name }: Field) {
  const { id } = ok(
    await callApi(near, "POST", "/customers", {
      name: "Jamie Lee",
      email: "jamie@shop.example",
      reference: name,
    }),
  );
  let changes = 0;
  return {
    id: id as string,
    path: `/customers/${id}`,
    next: () => {
      changes += 1;
      return changes;
    },
  };
}

/** What both nodes answer is the last version. */
async function assertShown({ near, far }: Pick<Field, "near" | "far">, path: string, last: unknown) {
  for (const shop of [near, far]) assert.deepEqual(ok(await callApi(shop, "GET", path)), last);
}

const CUSTOMER_RACES: readonly Race[] = [
  {
    name: "change a customer, change other fields of it",
    outcomes: ["name last", "email last", "metadata last"],
    prepare: async (field) => {
      const { id, path, next } = await aCustomer(field);
      const name = changing(
        path,
        () => ({ name: `Jamie ${next()}` }),
        (answer, body) => answer.name === body.name,
      );
      const email = changing(
        path,
        () => ({ email: `jamie@shop${next()}.example` }),
        (answer, body) => answer.email === body.email.replace("amie", "XXXXXXXXXX"),
      );
      const metadata = changing(
        path,
        () => ({ metadata: { step: String(next()) } }),
        (answer, body) => isDeepStrictEqual(answer.metadata, body.metadata),
      );
      return {
        verbs: [name, email, metadata],
        check: async (answers) => {
          const versions = (await eventsOf(field.far, id)).map(
            ({ payload }: { payload: Version }) => payload,
          );
          const changed = changesBetween(versions, ({ name, email, metadata }) => ({
            name,
            email,
            metadata,
          }));
          // Each call sent a value of its own: it is one change, one event, and the version that was answered.
          assert.deepEqual(
            answers.flat().map(ok).toSorted(byTime),
            versions.slice(1),
            "the answers are not the published versions",
          );
          const last = versions.at(-1);
          await assertShown(field, path, last);
          const rows = await field.database.rows(
            "select name, email, metadata ->> 'step' as step from customers where id = $1",
            [id],
          );
          const email = last.email.replace("XXXXXXXXXX", "amie");
          assert.deepEqual(rows, [{ name: last.name, email, step: last.metadata?.step ?? null }]);
          return `${changed.at(-1)} last`;
        },
      };
    },
  },
  {
    name: "change a customer, change the same field of it",
    outcomes: ["Jamie Ash last", "Jamie Birch last"],
    prepare: async (field) => {
      const { id, path } = await aCustomer(field);
      const to = (name: string) =>
        changing(
          path,
          () => ({ name }),
          (answer) => answer.name === name,
        );
      return {
        verbs: [to("Jamie Ash"), to("Jamie Birch")],
        check: async (answers) => {
          const versions = (await eventsOf(field.far, id)).map(
            ({ payload }: { payload: Version }) => payload,
          );
          changesBetween(versions, ({ name, email }) => ({ name, email }));
          // A call that found its value there already answers the version of another call, and has no event.
          const shown = answers.flat().map(ok).toSorted(byTime);
          const distinct = shown.filter(
            ({ updatedDateTime }, index) => updatedDateTime !== shown[index - 1]?.updatedDateTime,
          );
          assert.deepEqual(distinct, versions.slice(1), "the answers are not the published versions");
          for (const one of shown)
            assert.ok(versions.some((version: Version) => isDeepStrictEqual(version, one)));
          await assertShown(field, path, versions.at(-1));
          return `${versions.at(-1).name} last`;
        },
      };
    },
  },
];

const ACCOUNT = "/management/account";

/** So many changes of the account are on record. An account has no events. */
async function assertRecorded({ database }: Field, merchantId: string, count: number): Promise<void> {
  const acts = await database.rows(
    "select from audit_log where merchant_id = $1 and act = 'merchant_changed'",
    [merchantId],
  );
  assert.equal(acts.length, count, "changes of the account on record");
  assert.deepEqual(await database.rows("select from events where merchant_id = $1", [merchantId]), []);
}

/** The total with the surcharge of a rate, in cents. */
const totalAt = ({ percent, fixed }: { readonly percent: number; readonly fixed: number }) =>
  PRICE + Math.round((PRICE * percent) / 100) + fixed;

const ACCOUNT_RACES: readonly Race[] = [
  {
    name: "change the account, change other fields of it",
    outcomes: ["name last", "percent last", "fixed last"],
    prepare: async (field) => {
      const own = await ownMerchant(field);
      const rate = (visa: object) => ({ surcharging: { enabled: true, rates: { visa } } });
      const first = ok(await callApi(own.near, "PUT", ACCOUNT, rate({ percent: 1, fixed: 1 })));
      let changes = 0;
      const next = () => {
        changes += 1;
        return changes;
      };
      // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
      const valuesOf = ({ name, surcharging }: any) => ({ name, ...surcharging.rates.visa });
      const visa = (part: "percent" | "fixed", partOf: (change: number) => number) =>
        changing(
          ACCOUNT,
          () => rate({ [part]: partOf(next()) }),
          (answer, body) =>
            isDeepStrictEqual(
              answer.surcharging.rates.visa[part],
              (body.surcharging.rates.visa as Record<string, number>)[part],
            ),
        );
      return {
        verbs: [
          own.of(
            changing(
              ACCOUNT,
              () => ({ name: `Shop ${next()}` }),
              (answer, body) => answer.name === body.name,
            ),
          ),
          own.of(visa("percent", (change) => 2 + change / 10)),
          own.of(visa("fixed", (change) => 1 + change)),
        ],
        check: async (answers) => {
          const versions = [first, ...answers.flat().map(ok).toSorted(byTime)];
          const changed = changesBetween(versions, valuesOf);
          const last = versions.at(-1);
          await assertShown(own, ACCOUNT, last);
          await assertRecorded(field, own.id, versions.length);
          const total = totalAt(last.surcharging.rates.visa);
          const transactionId = await eventually(
            "a payment has the last rate",
            async () => {
              const paid = await (await openFrame(own.far, { amount: PRICE })).pay({ total });
              return paid.status === 200 && (paid.body.transactionId as string);
            },
            APPLIES_WITHIN_MS,
          );
          const { payment } = await getTransaction(own.near, transactionId);
          assert.deepEqual([payment.surcharge, payment.capturedAmount], [total - PRICE, total]);
          const charged = await field.database.rows(
            "select amount::int from sandbox_ledger where ledger = 'acquirer' and reference = $1",
            [transactionId],
          );
          assert.deepEqual(charged, [{ amount: total }]);
          return `${changed.at(-1)} last`;
        },
      };
    },
  },
  {
    name: "change the account, change the same field of it",
    outcomes: ["AUD last", "NZD last"],
    prepare: async (field) => {
      const own = await ownMerchant(field);
      const to = (currencyCode: string) =>
        own.of(
          changing(
            ACCOUNT,
            () => ({ currencyCode }),
            (answer) => answer.currencyCode === currencyCode,
          ),
        );
      return {
        verbs: [to("AUD"), to("NZD")],
        check: async (answers) => {
          const versions = answers.flat().map(ok).toSorted(byTime);
          for (const [index, { updatedDateTime }] of versions.entries())
            assert.notEqual(
              updatedDateTime,
              versions[index - 1]?.updatedDateTime,
              "two changes have one time",
            );
          const last = versions.at(-1);
          await assertShown(own, ACCOUNT, last);
          await assertRecorded(field, own.id, versions.length);
          for (const shop of [own.near, own.far])
            await eventually(
              `a request is made in ${last.currencyCode}`,
              async () => (await createRequest(shop)).payment.currencyCode === last.currencyCode,
              APPLIES_WITHIN_MS,
            );
          return `${last.currencyCode} last`;
        },
      };
    },
  },
];

const WEBHOOK_RACE: Race = {
  name: "change a webhook, delete it",
  outcomes: ["deleted first", "changed first"],
  prepare: async (field) => {
    const { near, far, id: merchantId, of } = await ownMerchant(field);
    const receiver = await startReceiver();
    const at = (path: string) => receiver.url.replace("/hook", path);
    const subscribe = (path: string) => ({ event: "payment_requests", url: at(path) });
    const first = ok(await callApi(near, "POST", "/webhooks", subscribe("/old")));
    const path = `/webhooks/${first.id}`;
    let changes = 0;
    let deletedAt = 0;
    const remove: Verb = async (shop) => {
      const answer = await callApi(shop, "DELETE", path);
      if (answer.status === 200) deletedAt = Date.now();
      return answer;
    };
    return {
      verbs: [
        of(
          changing(
            path,
            () => {
              changes += 1;
              return { url: at(`/old/${changes}`) };
            },
            (answer, body) => answer.url === body.url,
          ),
        ),
        of(remove),
      ],
      check: async ([changed = [], deleted = []]) => {
        onlyOne(deleted);
        const refused = [...changed, ...deleted].filter(({ status }) => status !== 200);
        for (const answer of refused) assertRefused(answer, 404, "V11010");
        const versions = [first, ...accepted(changed).map(ok).toSorted(byTime)];
        changesBetween(versions, ({ url, status, event }) => ({ url, status, event }));
        for (const shop of [near, far]) {
          assert.equal((await callApi(shop, "GET", path)).status, 404);
          assert.equal((await callApi(shop, "PUT", path, { url: at("/back") })).status, 404);
          assert.equal(ok(await callApi(shop, "GET", "/webhooks")).count, 0);
        }
        // Nothing of it is left: its event value is free, and the new subscription alone receives.
        const again = ok(await callApi(far, "POST", "/webhooks", subscribe("/new")));
        assert.deepEqual(
          await field.database.rows("select id, url from webhooks where merchant_id = $1", [merchantId]),
          [{ id: again.id, url: at("/new") }],
        );
        const { id } = await createRequest(near);
        await eventually("the new subscription receives", async () =>
          receiver.received.some(({ path, body }) => path === "/new" && JSON.parse(body).payload.id === id),
        );
        for (const { path, at } of receiver.received)
          assert.ok(path === "/new" || at - deletedAt <= APPLIES_WITHIN_MS, `${path} receives after its end`);
        await receiver.close();
        return accepted(changed).length === 0 ? "deleted first" : "changed first";
      },
    };
  },
};

export const RECORD_RACES: readonly Race[] = [...CUSTOMER_RACES, ...ACCOUNT_RACES, WEBHOOK_RACE];

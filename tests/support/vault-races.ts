import assert from "node:assert/strict";
import { VAULT_COMMANDS } from "../../src/cli/vault-commands.ts";
import type { SecretPlace } from "../../src/platform/vault/queries.ts";
import type { Answer } from "./calls.ts";
import { CARD, callApi, eventsOf, getRequest, getTransaction, ok, openFrame, type Shop } from "./checkout.ts";
import { storedAccount } from "./debits.ts";
import { inContext } from "./operator.ts";
import { type Field, onlyOne, post, type Race } from "./race.ts";
import { acquirerEntries } from "./sandbox-ledger.ts";
import { chargeOf, type Stored, storedCard } from "./stored-cards.ts";

/** Operators who rotate in one trial. */
const OPERATORS = 2;
const ACCOUNTS = 4;

type Report = { readonly resumed: boolean };

/** As `vault rotate` does. */
async function rotateKeys({ database }: Field): Promise<Report> {
  const command = VAULT_COMMANDS.find(({ name }) => name === "vault rotate");
  assert.ok(command !== undefined && "run" in command);
  const typed = { options: {}, lists: {}, flags: new Set<string>(), positionals: [] };
  const terminal = {
    json: true,
    note: () => {},
    print: async () => {},
    progress: () => {},
    interrupted: () => new AbortController().signal,
  };
  const { json, failed, warnings } = await inContext(database, (ctx) => command.run(ctx, typed, terminal));
  assert.ok(failed !== true, String(warnings));
  return json as Report;
}

/** The rotation of one trial, of the keys of the merchant that all trials share. */
async function rotationOf(field: Field) {
  const { database } = field;
  const [merchant] = await database.rows<{ id: SecretPlace["merchantId"] }>(
    "select id from merchants where founding",
  );
  assert.ok(merchant);
  const keys = await database.rows<{ id: string; at: Date }>(
    "select id, created_at as at from vault_keys where merchant_id = $1 and retired_at is null",
    [merchant.id],
  );
  assert.equal(keys.length, 2);
  const ids = keys.map(({ id }) => id);
  let begun = 0;
  const reports: Report[] = [];
  return {
    merchantId: merchant.id,
    rotate: async () => {
      begun += 1;
      if (begun <= OPERATORS) reports.push(await rotateKeys(field));
    },
    /** Whether the number was under the old key at that act. */
    wasUnder: (detail = "") => ids.some((id) => detail.endsWith(` under ${id}`)),
    /** The old keys are gone and nothing is left under them. Returns when the merchant got the next key. */
    whenReplaced: async (): Promise<number> => {
      const old = await database.rows<{ id: string; destroyed: boolean; held: boolean }>(
        `select id, destroyed_at is not null as destroyed, wrapped is not null as held from vault_keys where id = any ($1)`,
        [ids],
      );
      // One that found another trial's rotation finished that, and may have begun after it replaced these keys.
      if (reports.some(({ resumed }) => !resumed))
        for (const key of old) assert.deepEqual(key, { id: key.id, destroyed: true, held: false });
      const lost = await database.rows(
        `select s.instrument_id from vault_secrets s join vault_keys k on k.id in (s.key_id, s.fingerprint_key_id)
         where s.merchant_id = $1 and k.destroyed_at is not null`,
        [merchant.id],
      );
      assert.deepEqual(lost, [], "numbers under a key that is destroyed");
      const [next] = await database.rows<{ at: Date | null }>(
        `select min(created_at) as at from vault_keys
         where merchant_id = $1 and purpose = 'data' and created_at > $2 and not id = any ($3)`,
        [merchant.id, keys[0]?.at, ids],
      );
      return next?.at?.getTime() ?? Number.POSITIVE_INFINITY;
    },
  };
}

const pathOf = ({ id, paymentInstrumentId }: Stored) =>
  `/customers/${id}/paymentinstruments/${paymentInstrumentId}`;

/** Rotations take as long as there are numbers: each trial leaves none. */
async function forget(shop: Shop, stored: Stored): Promise<void> {
  ok(await callApi(shop, "DELETE", pathOf(stored)));
}

const secretsOf = ({ database }: Field, { paymentInstrumentId }: Stored) =>
  database.rows("select field from vault_secrets where instrument_id = $1", [paymentInstrumentId]);

/** What is on record about a number, in order. */
const actsOn = ({ database }: Field, { paymentInstrumentId }: Stored) =>
  database.rows<{ act: string; detail: string }>(
    "select act, detail from audit_log where subject_id = $1 and act like 'number_%' order by id",
    [paymentInstrumentId],
  );

const namesOf = (acts: readonly { readonly act: string }[]) => acts.map(({ act }) => act);

/** The vault has this number of an account: it can be used, and found by its fingerprint. */
async function assertKept(
  { database }: Field,
  merchantId: SecretPlace["merchantId"],
  { paymentInstrumentId }: Stored,
  number: string,
): Promise<void> {
  const instrumentId = paymentInstrumentId as SecretPlace["instrumentId"];
  const place = { merchantId, instrumentId, field: "account_number" } as const;
  await inContext(database, async ({ db, vault }) => {
    const use = { purpose: "charge", subjectId: "txn_1" } as const;
    assert.equal(await vault.use(db, place, use, async (text) => text), number);
    assert.deepEqual(await vault.findSame(db, merchantId, "account_number", number), [instrumentId]);
  });
}

let numbers = 10_000_000;

/** As operators rotate the keys while numbers come, are used and go. */
const ROTATION_RACES: readonly Race[] = [
  {
    name: "rotate the vault's keys, store a card and accounts",
    outcomes: ["stored first", "rotated first"],
    prepare: async (field) => {
      const { near, far } = field;
      const first = await storedAccount(near);
      const { merchantId, rotate, whenReplaced, wasUnder } = await rotationOf(field);
      const frame = await openFrame(near, { customerRequest: { paymentInstrument: "create" } });
      const accounts: { readonly stored: Stored; readonly number: string }[] = [];
      return {
        verbs: [
          rotate,
          (shop) => frame.at(shop).pay({ consent: true }),
          async (shop) => {
            numbers += 1;
            const number = String(numbers);
            const bankAccount = { accountName: "Jamie Lee", bsb: "062000", number };
            const answer = await callApi(shop, "POST", `/customers/${first.id}/paymentinstruments`, {
              bankAccount,
            });
            accounts.push({ stored: { id: first.id, paymentInstrumentId: ok(answer).id }, number });
            return answer;
          },
        ],
        check: async ([, paid = []]) => {
          onlyOne(paid);
          await whenReplaced();
          const { customerResult } = await getRequest(far, frame.requestId);
          const card = { id: customerResult.id, paymentInstrumentId: customerResult.paymentInstrumentId };
          const [stored] = await actsOn(field, card);
          assert.equal(stored?.act, "number_stored");
          assert.equal((await secretsOf(field, card)).length, 1);
          const charged = ok(await callApi(far, "POST", "/transactions", chargeOf(card)));
          assert.deepEqual(
            [charged.result.status, charged.payment.instrument.card.last4],
            ["approved", CARD.number.slice(-4)],
          );
          for (const { stored, number } of accounts) await assertKept(field, merchantId, stored, number);
          for (const one of [first, card, ...accounts.map(({ stored }) => stored)]) await forget(near, one);
          return wasUnder(stored.detail) ? "stored first" : "rotated first";
        },
      };
    },
  },
  {
    name: "rotate the vault's keys, charge a stored card",
    outcomes: ["charged first", "rotated first"],
    prepare: async (field) => {
      const { near, far } = field;
      const card = await storedCard(near);
      const { rotate, whenReplaced, wasUnder } = await rotationOf(field);
      return {
        verbs: [rotate, post("/transactions", chargeOf(card))],
        check: async ([, charged = []]) => {
          await whenReplaced();
          for (const answer of charged) {
            const { id, result } = ok(answer);
            // `pending` would be a number that could not be read.
            assert.equal(result.status, "approved");
            assert.deepEqual(await acquirerEntries(field.database, id), ["authorisation"]);
            assert.equal((await getTransaction(far, id)).payment.capturedAmount, 2_500);
          }
          assert.equal((await secretsOf(field, card)).length, 1);
          const again = ok(await callApi(far, "POST", "/transactions", chargeOf(card)));
          assert.equal(again.result.status, "approved");
          const acts = await actsOn(field, card);
          const uses = Array.from({ length: charged.length + 1 }, () => "number_used");
          assert.deepEqual(namesOf(acts), ["number_stored", ...uses]);
          await forget(near, card);
          return wasUnder(acts[1]?.detail) ? "charged first" : "rotated first";
        },
      };
    },
  },
  {
    name: "rotate the vault's keys, delete stored accounts",
    outcomes: ["deleted first", "rotated first"],
    prepare: async (field) => {
      const { near, far } = field;
      const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, () => storedAccount(near)));
      const { rotate, whenReplaced } = await rotationOf(field);
      const answers = new Map<Stored, Answer[]>();
      let calls = 0;
      return {
        verbs: [
          rotate,
          async (shop) => {
            const account = accounts[calls % ACCOUNTS] as Stored;
            calls += 1;
            const answer = await callApi(shop, "DELETE", pathOf(account));
            answers.set(account, [...(answers.get(account) ?? []), answer]);
            return answer;
          },
        ],
        check: async () => {
          const replacedAt = await whenReplaced();
          const moments: number[] = [];
          for (const account of accounts) {
            const deleted = answers.get(account) ?? [];
            if (deleted.length === 0) {
              // It was not to be deleted, and a rotation erases nothing.
              assert.equal((await secretsOf(field, account)).length, 1);
              await forget(far, account);
            } else onlyOne(deleted);
            for (const { status } of deleted) assert.ok(status === 200 || status === 404, String(status));
            assert.deepEqual(await secretsOf(field, account), [], "a rotation brought a number back");
            assert.equal((await callApi(far, "GET", pathOf(account))).status, 404);
            assert.equal((await callApi(far, "POST", "/transactions", chargeOf(account))).status, 400);
            assert.deepEqual(namesOf(await actsOn(field, account)), ["number_stored", "number_erased"]);
            const events = await eventsOf(far, account.paymentInstrumentId);
            assert.equal(events.length, 2);
            if (deleted.length > 0) moments.push(Date.parse(events[1].payload.deletedDateTime));
          }
          return Math.min(...moments) < replacedAt ? "deleted first" : "rotated first";
        },
      };
    },
  },
];

type Shown = { readonly name: string; readonly expiryMonth: number; readonly expiryYear: number };

const CARD_RACE: Race = {
  name: "change a stored card, charge it",
  outcomes: ["changed first", "charged first"],
  prepare: async ({ database, near, far }) => {
    const stored = await storedCard(near);
    const shownBy = ({ name, expiryMonth, expiryYear }: Shown) => ({ name, expiryMonth, expiryYear });
    const path = pathOf(stored);
    const before = shownBy(ok(await callApi(near, "GET", path)).card);
    const after = { name: "JAMIE LEE-PARK", expiryMonth: 3, expiryYear: before.expiryYear + 2 };
    return {
      verbs: [(shop) => callApi(shop, "PUT", path, { card: after }), post("/transactions", chargeOf(stored))],
      check: async ([changed = [], charged = []]) => {
        for (const answer of changed) assert.deepEqual(shownBy(ok(answer).card), after);
        const seen: Shown[] = [];
        for (const answer of charged) {
          const transaction = ok(answer);
          assert.equal(transaction.result.status, "approved");
          assert.deepEqual(transaction.payment.instrument.customer, stored);
          const card = shownBy(transaction.payment.instrument.card);
          assert.ok(
            [before, after].some((one) => JSON.stringify(one) === JSON.stringify(card)),
            JSON.stringify(card),
          );
          seen.push(card);
          // Its events and every later answer show the version that was charged.
          for (const { payload } of await eventsOf(far, transaction.id))
            assert.deepEqual(shownBy(payload.payment.instrument.card), card);
          assert.deepEqual((await getTransaction(far, transaction.id)).payment, transaction.payment);
          assert.deepEqual(await acquirerEntries(database, transaction.id), ["authorisation"]);
        }
        assert.deepEqual(shownBy(ok(await callApi(far, "GET", path)).card), after);
        const versions = await eventsOf(far, stored.paymentInstrumentId);
        assert.deepEqual(
          versions.map(({ payload }: { payload: { card: Shown } }) => shownBy(payload.card)),
          [before, after],
          "one event for one visible change",
        );
        return seen.every(({ name }) => name === after.name) ? "changed first" : "charged first";
      },
    };
  },
};

export const VAULT_RACES: readonly Race[] = [...ROTATION_RACES, CARD_RACE];

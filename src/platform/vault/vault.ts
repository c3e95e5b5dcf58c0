import type { Id } from "../../kernel/ids.ts";
import { Refusal } from "../../kernel/refusal.ts";
import { type Instant, MINUTE } from "../../kernel/time.ts";
import { record } from "../audit/queries.ts";
import type { Settings } from "../config/settings.ts";
import { createKeyedHash, decrypt, encrypt, keyedHash } from "../crypto/cipher.ts";
import type { Database, Tx } from "../db/database.ts";
import type { Log } from "../log/log.ts";
import type { PaymentMetrics, VaultPurpose } from "../metrics/payment-metrics.ts";
import { SecretUnreadable } from "./errors.ts";
import {
  deleteSecrets,
  deleteTransactionCards,
  type Field,
  findSame,
  findSecret,
  insertSecret,
  type SecretPlace,
  type SecretRow,
  type WrappedKey,
} from "./queries.ts";
import { createUseLimit } from "./use-limit.ts";
import type { VaultKeys } from "./vault-keys.ts";

/** What a number is needed for, and for which of our records; both go into the audit log. */
export type Use = {
  readonly purpose: VaultPurpose;
  readonly subjectId: string;
};

/** Keeps card and account numbers. None of its verbs shows one: a number can be used for something, and that is on record. */
export type Vault = {
  /** Before the transaction of a `keep`: makes and unwraps the merchant's keys, so that the transaction does not wait for that. */
  readonly prepare: (db: Database, merchantId: Id<"merchant">) => Promise<void>;
  /**
   * Before a charge is recorded: counts its use of a number, and refuses it with 429 when the merchant has used too many.
   * Work of the gateway itself is counted by `use`, and waits.
   */
  readonly admitCharge: (merchantId: Id<"merchant">) => void;
  /** Before a charge is recorded: fails when the key service is away, because the charge could not be sent then. */
  readonly reachKeys: (db: Database, merchantId: Id<"merchant">) => Promise<void>;
  /** Encrypts and writes in the caller's transaction. A place is written once. */
  readonly keep: (tx: Tx, place: SecretPlace, secret: string) => Promise<void>;
  readonly keeps: (tx: Tx, place: SecretPlace) => Promise<boolean>;
  /**
   * The only way to a number: its use is recorded and committed, then the number is passed to `run`, outside any
   * transaction. Undefined, and nothing runs, when nothing is kept there (any more). Throws `SecretUnreadable` when the
   * ciphertext was changed or its key is gone; that is recorded as well.
   */
  readonly use: <Result>(
    db: Database,
    place: SecretPlace,
    use: Use,
    run: (secret: string) => Promise<Result>,
  ) => Promise<Result | undefined>;
  /** The merchant's instruments that hold this very number, oldest first. */
  readonly findSame: (
    tx: Tx,
    merchantId: Id<"merchant">,
    field: Field,
    secret: string,
  ) => Promise<readonly Id<"paymentInstrument">[]>;
  /** Erases numbers that were kept for messages about payments before that moment. Returns how many. */
  readonly eraseTransactionCards: (tx: Tx, before: Instant, atMost: number) => Promise<number>;
  /** A keyed hash for counting numbers that are not kept. It is the same on every node, until a rotation. */
  readonly hashFor: (db: Database, purpose: string) => Promise<(secret: string) => string>;
  /** Everything that is kept of the instrument is gone when the transaction commits. */
  readonly erase: (tx: Tx, place: Pick<SecretPlace, "merchantId" | "instrumentId">) => Promise<void>;
};

const LONGEST_SECRET = 256;
const COUNTING_KEY_KEPT_FOR = 5 * MINUTE;

type Parts = {
  readonly db: Database;
  readonly settings: Pick<Settings, "vaultUsesPerMinute">;
  readonly metrics: Pick<PaymentMetrics, "vaultUsed" | "vaultLimited" | "controlFailed">;
  readonly log: Log;
  readonly now: () => Instant;
};

export function createVault(keys: VaultKeys, { db: own, settings, metrics, log, now }: Parts): Vault {
  const perMinute = settings.vaultUsesPerMinute;
  const limit = createUseLimit({
    perMinute,
    now,
    onReached: (merchantId, answer, isFirst) => {
      metrics.vaultLimited(answer);
      if (!isFirst) return;
      log.warn({ merchantId }, `stored numbers are used too often: more than ${perMinute} within a minute`);
      // On its own: a refused charge rolls back what it wrote.
      record(
        own,
        { act: "vault_limit_reached", merchantId, detail: `${perMinute} a minute, ${answer}` },
        now(),
      ).catch((error: unknown) =>
        log.error({ merchantId, error }, "audit entry of the vault's limit not written"),
      );
    },
  });

  async function open(place: SecretPlace, row: SecretRow & WrappedKey): Promise<string | undefined> {
    try {
      const { id, key } = await keys.unwrap(row);
      return decrypt(key, row, boundTo(place, id))?.toString("utf8");
    } catch (error) {
      if (error instanceof SecretUnreadable) return undefined;
      throw error;
    }
  }

  /** Read now and then only: every payment counts. A timer drops it, because an idle node reads no other. */
  let counting: { readonly hash: (text: string) => Buffer; readonly until: number } | undefined;

  return {
    hashFor: async (db, purpose) => {
      if (counting === undefined || counting.until < now()) {
        const { key } = await keys.ofCounting(db);
        counting = { hash: createKeyedHash(key), until: now() + COUNTING_KEY_KEPT_FOR };
        setTimeout(() => {
          counting = undefined;
        }, COUNTING_KEY_KEPT_FOR).unref();
      }
      const { hash } = counting;
      return (secret) => hash(`${purpose}|${secret}`).toString("base64url", 0, 18);
    },
    prepare: keys.prepare,
    admitCharge: (merchantId) => {
      const wait = limit.admit(merchantId);
      if (wait > 0) throw new Refusal([{ code: "vault_uses_too_many", wait }]);
    },
    reachKeys: async (db, merchantId) => {
      if (keys.isOutside) await keys.prepare(db, merchantId);
    },
    keep: async (tx, place, secret) => {
      const bytes = Buffer.from(secret, "utf8");
      if (bytes.length < 1 || bytes.length > LONGEST_SECRET) throw new RangeError("no number is that long");
      const { data, fingerprint } = await keys.ofMerchant(tx, place.merchantId);
      const sealed = encrypt(data.key, bytes, boundTo(place, data.id));
      const print = keyedHash(fingerprint.key, printed(place.field, secret));
      const row = { keyId: data.id, ...sealed, fingerprint: print, fingerprintKeyId: fingerprint.id };
      await insertSecret(tx, place, row, now());
      const { merchantId, instrumentId, field } = place;
      const detail = `${field} under ${data.id}`;
      await record(tx, { act: "number_stored", merchantId, subjectId: instrumentId, detail }, now());
    },
    keeps: async (tx, place) => (await findSecret(tx, place)) !== undefined,
    use: async (db, place, { purpose, subjectId }, run) => {
      if (purpose !== "charge") await limit.pace(place.merchantId);
      const row = await findSecret(db, place);
      if (row === undefined) return undefined;
      const secret = await open(place, row);
      const { merchantId, instrumentId } = place;
      const detail = `${place.field} for ${purpose} ${subjectId} under ${row.keyId}`;
      const act = secret === undefined ? "number_unreadable" : "number_used";
      await record(db, { act, merchantId, subjectId: instrumentId, detail }, now());
      metrics.vaultUsed(purpose);
      if (secret === undefined) {
        metrics.controlFailed("number");
        log.error(
          { merchantId, subjectId: instrumentId },
          "stored number unreadable: its ciphertext was changed, or its key is gone",
        );
        throw new SecretUnreadable(`what is kept of ${instrumentId} can't be read`);
      }
      return run(secret);
    },
    findSame: async (tx, merchantId, field, secret) => {
      let known = await keys.ofFingerprints(tx, merchantId);
      for (;;) {
        const prints = known.map(({ key }) => keyedHash(key, printed(field, secret)));
        const found = await findSame(tx, merchantId, field, prints);
        // A rotation may have moved rows to a key that was not there yet when the keys were listed.
        const now = await keys.ofFingerprints(tx, merchantId);
        if (now.every(({ id }) => known.some((one) => one.id === id))) return found;
        known = now;
      }
    },
    eraseTransactionCards: async (tx, before, atMost) => {
      const erased = await deleteTransactionCards(tx, before, atMost);
      for (const { merchantId, instrumentId } of erased) {
        const entry = { act: "number_erased", merchantId, subjectId: instrumentId } as const;
        await record(tx, { ...entry, detail: "transaction_card" }, now());
      }
      return erased.length;
    },
    erase: async (tx, place) => {
      const { merchantId, instrumentId } = place;
      for (const field of await deleteSecrets(tx, place)) {
        await record(tx, { act: "number_erased", merchantId, subjectId: instrumentId, detail: field }, now());
      }
    },
  };
}

/** Ciphertext opens in its own place and under its own key alone. */
export function boundTo({ merchantId, instrumentId, field }: SecretPlace, keyId: string): string {
  return `tidegate vault|${merchantId}|${instrumentId}|${field}|${keyId}`;
}

export function printed(field: Field, secret: string): string {
  return `${field}|${secret}`;
}

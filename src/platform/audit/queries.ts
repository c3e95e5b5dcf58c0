import type { Instant } from "../../kernel/time.ts";
import { at, onlyRow, sql, type Tx } from "../db/database.ts";
import { currentActor } from "./actor.ts";

/** Everything that goes on record. */
export type AuditAct =
  | "number_stored"
  | "number_used"
  | "number_unreadable"
  | "number_erased"
  | "text_unreadable"
  | "key_made"
  | "key_retired"
  | "key_destroyed"
  | "rotation_begun"
  | "rotation_ended"
  | "master_key_changed"
  | "card_testing"
  | "vault_limit_reached"
  | "api_key_made"
  | "api_key_revoked"
  | "api_key_refused"
  | "signing_key_read"
  | "signing_key_replaced"
  | "webhook_credentials_changed"
  | "acquirer_settings_changed"
  | "merchant_made"
  | "merchant_changed"
  | "command_run"
  | "user_made"
  | "user_changed"
  | "user_removed"
  | "user_link_made"
  | "user_link_used"
  | "user_signed_in"
  | "user_sign_in_failed"
  | "user_signed_out"
  | "user_locked"
  | "user_attempt_refused"
  | "user_proved"
  | "user_proof_failed"
  | "user_password_changed"
  | "user_second_factor_on"
  | "user_second_factor_off"
  | "user_acted"
  | "user_act_refused";

export type AuditEntry = {
  readonly act: AuditAct;
  readonly merchantId?: string | null;
  /** What it was done to: an instrument, a key. */
  readonly subjectId?: string;
  /** A few fixed words; never text that a user typed. */
  readonly detail?: string;
};

const INSERT = sql(
  "audit_insert",
  `insert into audit_log (at, act, merchant_id, subject_id, detail, actor, address)
   values ($1, $2, $3, $4, $5, $6, $7)`,
);

/** Records an action in its transaction, or alone if nothing else is written, with its actor. It waits for no lock. */
export async function record(tx: Tx, entry: AuditEntry, now: Instant): Promise<void> {
  const { act, merchantId = null, subjectId = null, detail = "" } = entry;
  const { actor, address } = currentActor();
  await tx.rows(INSERT, [at(now), act, merchantId, subjectId, detail, actor, address]);
}

/** An entry as it lies in the log. */
export type LoggedEntry = {
  readonly id: number;
  readonly at: Instant;
  readonly act: string;
  readonly merchantId: string | null;
  readonly subjectId: string | null;
  readonly detail: string;
  readonly actor: string | null;
  readonly address: string | null;
};

export type Seal = { readonly place: number; readonly previous: Uint8Array; readonly hash: Uint8Array };
export type Head = { readonly place: number; readonly hash: Uint8Array; readonly proof: Uint8Array };

const ENTRY = `id, at, act, merchant_id as "merchantId", subject_id as "subjectId", detail, actor, address`;

// One sealer at a time, on whichever node; the others have nothing to wait for.
const TAKE_SEALING = sql("audit_take_sealing", 'select pg_try_advisory_xact_lock(7433009) as "isTaken"');
const AWAIT_SEALING = sql("audit_await_sealing", "select pg_advisory_xact_lock(7433009)");
const LIST_UNSEALED = sql(
  "audit_list_unsealed",
  `select ${ENTRY} from audit_log where place is null order by id limit $1`,
);
const SEAL = sql(
  "audit_seal",
  "select seal_audit_entries($1::bigint[], $2::bigint[], $3::text[], $4::text[])",
);
const FIND_HEAD = sql("audit_head_find", "select place, hash, proof from audit_head");
const PUT_HEAD = sql("audit_head_put", "select put_audit_head($1::bigint, $2::bytea, $3::bytea)");
const LIST_SEALED = sql(
  "audit_list_sealed",
  `select ${ENTRY}, place, previous, hash from audit_log where place > $1 order by place limit $2`,
);
const LIST_NEWEST = sql(
  "audit_list_newest",
  `select ${ENTRY} from audit_log where id < $1 order by id desc limit $2`,
);
/** Places have no gap, so the last one is the number of sealed entries; a count would read the whole log. */
const COUNT = sql(
  "audit_count",
  `select coalesce((select max(place) from audit_log), 0) as sealed,
     (select count(*) from audit_log where place is null) as unsealed`,
);

/** False when another node is sealing right now. */
export async function takeSealing(tx: Tx): Promise<boolean> {
  return (await tx.rows<{ readonly isTaken: boolean }>(TAKE_SEALING, []))[0]?.isTaken === true;
}

export async function awaitSealing(tx: Tx): Promise<void> {
  await tx.rows(AWAIT_SEALING, []);
}

export async function listUnsealed(tx: Tx, atMost: number): Promise<readonly LoggedEntry[]> {
  return tx.rows<LoggedEntry>(LIST_UNSEALED, [atMost]);
}

export async function sealEntries(tx: Tx, seals: readonly (Seal & { readonly id: number })[]): Promise<void> {
  await tx.rows(SEAL, [
    seals.map(({ id }) => id),
    seals.map(({ place }) => place),
    seals.map(({ previous }) => hex(previous)),
    seals.map(({ hash }) => hex(hash)),
  ]);
}

export async function findHead(tx: Tx): Promise<Head | undefined> {
  return (await tx.rows<Head>(FIND_HEAD, []))[0];
}

export async function putHead(tx: Tx, head: Head): Promise<void> {
  await tx.rows(PUT_HEAD, [head.place, head.hash, head.proof]);
}

export async function listSealed(
  tx: Tx,
  after: number,
  atMost: number,
): Promise<readonly (LoggedEntry & Seal)[]> {
  return tx.rows<LoggedEntry & Seal>(LIST_SEALED, [after, atMost]);
}

/** The newest entries before that one, newest first. */
export async function listNewest(tx: Tx, before: number, atMost: number): Promise<readonly LoggedEntry[]> {
  return tx.rows<LoggedEntry>(LIST_NEWEST, [before, atMost]);
}

export async function countEntries(tx: Tx): Promise<{ readonly sealed: number; readonly unsealed: number }> {
  return onlyRow(await tx.rows<{ readonly sealed: number; readonly unsealed: number }>(COUNT, []));
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SEALED_COLUMNS } from "../app/sealed-columns.ts";
import { toIso } from "../kernel/time.ts";
import type { Context } from "../platform/context.ts";
import { newKey } from "../platform/crypto/cipher.ts";
import {
  changeMasterKey,
  MASTER_PLACES,
  type MasterPlace,
  type MasterReport,
} from "../platform/vault/master/change-master-key.ts";
import {
  checkValueOf,
  SHARES_AT_LEAST,
  SHARES_AT_MOST,
  splitKey,
  writeShare,
} from "../platform/vault/master/key-shares.ts";
import { renewCountingKey } from "../platform/vault/rotation/renew-counting-key.ts";
import { renewTextKeys } from "../platform/vault/rotation/renew-text-keys.ts";
import { rotateKeys } from "../platform/vault/rotation/rotate-keys.ts";
import { vaultStatus } from "../platform/vault/status/vault-status.ts";
import {
  type Command,
  type CommandOutput,
  CommandProblem,
  choiceOf,
  numberOf,
  type ParsedArguments,
  UsageProblem,
} from "./command.ts";
import type { Terminal } from "./terminal.ts";
import { VAULT_PURGE } from "./vault/purge-command.ts";

export const VAULT_COMMANDS: readonly Command[] = [
  {
    name: "vault status",
    reads: true,
    about: "Show the vault's keys and how many numbers it stores, never a number.",
    options: {},
    examples: ["vault status"],
    run: async (ctx) => {
      const { masterKey, keys, oldestKeyAt, numbers, audit } = await vaultStatus(ctx.db, ctx.vaultKeys);
      const oldest = oldestKeyAt === null ? null : toIso(oldestKeyAt);
      const warnings =
        masterKey.fits || !masterKey.needed
          ? []
          : ["the master key is not this database's; nothing in the vault can be read with it"];
      return {
        json: { masterKey, keys: { ...keys, oldestCreatedDateTime: oldest }, numbers, audit },
        lines: [
          `Master key  ${masterKey.id}  from ${masterKey.source}${masterKey.generated ? "  (created by the first start; sandbox only)" : ""}`,
          `Keys        ${keys.active} active, ${keys.outgoing} outgoing, ${keys.destroyed} destroyed${oldest === null ? "" : `; the oldest is from ${oldest}`}`,
          ...(keys.byOtherMasters > 0
            ? [
                `            ${keys.byOtherMasters} under another master key: run \`vault rotate --master\` again`,
              ]
            : []),
          `Numbers     ${numbers.kept} stored, ${numbers.left} under outgoing keys`,
          ...(keys.outgoing > 0 ? ["            a rotation is unfinished: run `vault rotate` again"] : []),
          `Audit log   ${audit.sealed} entries sealed, ${audit.unsealed} not yet`,
        ],
        warnings,
        failed: warnings.length > 0,
      };
    },
  },
  VAULT_PURGE,
  {
    name: "vault rotate",
    about:
      "Create new keys for every merchant and encrypt every number and secret with them, while gateways run. If it is interrupted, run it again.",
    options: {
      master: { about: "Change the master key instead: wrap all keys again; numbers stay as they are." },
      to: {
        value: "place",
        about:
          "With --master: move the master key to the key service (transit) or back to the local key (local). Without it the key service comes first.",
      },
    },
    examples: ["vault rotate", "vault rotate --master", "vault rotate --master --to transit"],
    run: (ctx, args, terminal) => {
      const isMaster = args.flags.has("master");
      if (!isMaster && args.options["to"] !== undefined) throw new UsageProblem("--to goes with --master");
      const place = args.options["to"] === undefined ? undefined : choiceOf(args, "to", MASTER_PLACES);
      return isMaster ? rotateMaster(ctx, terminal, place) : rotate(ctx, terminal);
    },
  },
  {
    name: "vault key",
    about:
      "Create a master key as shares, one for each custodian: all of them together are the key, all but one say nothing about it. TIDEGATE_VAULT_KEY_SHARES names their files.",
    options: {
      shares: { value: "count", about: "How many custodians there are, 2 to 9.", default: "3" },
      into: {
        value: "folder",
        about: "Write each share to a file of its own there (mode 600), and print the check values only.",
      },
    },
    examples: ["vault key --shares 3 --into /media/ceremony", "vault key --shares 2 --json"],
    runAlone: makeShares,
  },
];

async function rotate(ctx: Context, { progress }: Terminal): Promise<CommandOutput> {
  const report = await rotateKeys(ctx, ({ moved: done, total }) =>
    progress({ done, total, what: "numbers encrypted" }),
  );
  const texts = await renewTextKeys(ctx, SEALED_COLUMNS);
  await renewCountingKey(ctx);
  const { resumed, merchants, moved } = report;
  const lines = [
    `Rotated   ${moved} numbers of ${merchants} merchants, ${texts.moved} other secrets; the old keys are destroyed.`,
    ...(resumed ? ["          This finished an earlier rotation; run it again for a new one."] : []),
  ];
  const warnings = [
    ...unreadable(report.unreadable, "numbers"),
    ...unreadable(texts.unreadable, "other secrets"),
  ];
  return { json: { ...report, texts }, lines, warnings, failed: warnings.length > 0 };
}

function unreadable(count: number, what: string): readonly string[] {
  if (count === 0) return [];
  return [`${count} ${what} can't be read; they and their keys are unchanged, see the audit log`];
}

async function makeShares(args: ParsedArguments): Promise<CommandOutput> {
  const count = numberOf(args, "shares", [SHARES_AT_LEAST, SHARES_AT_MOST]);
  const folder = args.options["into"];
  const key = newKey();
  const shares = splitKey(key, count);
  key.fill(0);
  const masterKey = shares[0]?.masterId ?? "";
  const listed: object[] = [];
  const files: string[] = [];
  const lines = [`Master key  ${masterKey}  in ${count} shares`];
  for (const share of shares) {
    const checkValue = checkValueOf(share);
    const text = writeShare(share);
    if (folder === undefined) {
      listed.push({ number: share.number, checkValue, share: text });
      lines.push(
        "",
        `Share ${share.number} of ${count}, check value ${checkValue}, for one custodian alone:`,
        text,
      );
      continue;
    }
    const file = join(folder, `share-${share.number}-of-${count}.txt`);
    await writeFile(file, `${text}\n`, { mode: 0o600, flag: "wx" }).catch(async (error: unknown) => {
      const { code } = error as NodeJS.ErrnoException;
      // A custodian could take what is left for the share of a key; that key is never made.
      for (const own of code === "EEXIST" ? files : [...files, file]) await rm(own, { force: true });
      throw new CommandProblem(
        code === "EEXIST"
          ? `${file} exists; this command replaces no share`
          : `${file} can't be written (${code})`,
      );
    });
    files.push(file);
    listed.push({ number: share.number, checkValue, file });
    lines.push(`Share ${share.number}     ${file}  check value ${checkValue}`);
  }
  return { json: { masterKey, shares: listed }, lines };
}

async function rotateMaster(
  ctx: Context,
  { note }: Terminal,
  place: MasterPlace | undefined,
): Promise<CommandOutput> {
  const report = await changeMasterKey(ctx, (count) => note(`${count} keys wrapped`), place);
  const next = nextStep(ctx, report);
  return { json: report, lines: [`Master key  ${report.to}  wraps everything. ${next}`] };
}

function nextStep({ vaultKeys: { source } }: Context, { from, to }: MasterReport): string {
  if (source.isGenerated) return "The key file has only the new key; back it up.";
  if (!to.startsWith("local-")) {
    return from === to
      ? "Older versions of the transit key may go."
      : "Remove the local key from every node and keep it with the backups that it opens.";
  }
  return from.startsWith("local-")
    ? `Remove the old key from ${source.name} on every node.`
    : "Remove the TIDEGATE_TRANSIT settings from every node.";
}

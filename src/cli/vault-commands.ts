import { SEALED_COLUMNS } from "../app/sealed-columns.ts";
import { cardsToPurge, purgeCard } from "../features/payment-instruments/index.ts";
import { toIso } from "../kernel/time.ts";
import type { Context } from "../platform/context.ts";
import { changeMasterKey } from "../platform/vault/master/change-master-key.ts";
import { renewTextKeys } from "../platform/vault/rotation/renew-text-keys.ts";
import { rotateKeys } from "../platform/vault/rotation/rotate-keys.ts";
import { vaultStatus } from "../platform/vault/status/vault-status.ts";
import { type Command, type CommandOutput, numberOf, type ParsedArguments } from "./command.ts";
import type { Terminal } from "./terminal.ts";

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
      const warnings = masterKey.fits
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
        failed: !masterKey.fits,
      };
    },
  },
  {
    name: "vault purge",
    about:
      "Delete stored cards that have expired or were not used for a set time, and erase their numbers. Run it with --dry-run first.",
    options: {
      "dry-run": { about: "Only list the cards, each with its reason." },
      "expired-days": {
        value: "days",
        about: "So long after the end of the expiry month, 0 to 3650.",
        default: "0",
      },
      "unused-days": { value: "days", about: "So long after the last use, 1 to 3650.", default: "730" },
    },
    examples: ["vault purge --dry-run", "vault purge --dry-run --unused-days 365 --json"],
    run: purge,
  },
  {
    name: "vault rotate",
    about:
      "Create new keys for every merchant and encrypt every number and secret with them, while gateways run. If it is interrupted, run it again.",
    options: {
      master: { about: "Change the master key instead: wrap all keys again; numbers stay as they are." },
    },
    examples: ["vault rotate", "vault rotate --master"],
    run: (ctx, args, terminal) =>
      args.flags.has("master") ? rotateMaster(ctx, terminal) : rotate(ctx, terminal),
  },
];

async function purge(ctx: Context, args: ParsedArguments): Promise<CommandOutput> {
  const dry = args.flags.has("dry-run");
  const retention = {
    expiredDays: numberOf(args, "expired-days", [0, 3_650]),
    unusedDays: numberOf(args, "unused-days", [1, 3_650]),
  };
  const cards: object[] = [];
  const lines: string[] = [];
  for await (const candidate of cardsToPurge(ctx, retention)) {
    if (!dry && !(await purgeCard(ctx, candidate))) continue;
    const { instrument, lastUsedAt, reason } = candidate;
    const { merchantId, customerId, card } = instrument;
    const expiry = `${String(card.expiryMonth).padStart(2, "0")}/${card.expiryYear}`;
    cards.push({
      merchantId,
      customerId,
      paymentInstrumentId: instrument.id,
      cardType: card.cardType,
      last4: card.last4,
      expiryMonth: card.expiryMonth,
      expiryYear: card.expiryYear,
      lastUsedDateTime: toIso(lastUsedAt),
      reason,
    });
    lines.push(
      [merchantId, instrument.id, `${card.cardType} …${card.last4}`, expiry, reason, toIso(lastUsedAt)].join(
        "  ",
      ),
    );
  }
  const done = dry ? "would be removed; run it without --dry-run to remove them" : "removed";
  return {
    json: { dryRun: dry, count: cards.length, cards },
    lines: cards.length === 0 ? ["No card is due."] : [...lines, `${cards.length} ${done}.`],
  };
}

async function rotate(ctx: Context, { progress }: Terminal): Promise<CommandOutput> {
  const report = await rotateKeys(ctx, ({ moved: done, total }) =>
    progress({ done, total, what: "numbers encrypted" }),
  );
  const texts = await renewTextKeys(ctx, SEALED_COLUMNS);
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

async function rotateMaster(ctx: Context, { note }: Terminal): Promise<CommandOutput> {
  const report = await changeMasterKey(ctx, (count) => note(`${count} keys wrapped`));
  const next = ctx.vaultKeys.source.generated
    ? "The key file has only the new key; back it up."
    : `Remove the old key from ${ctx.vaultKeys.source.name} on every node.`;
  return { json: report, lines: [`Master key  ${report.to}  wraps everything. ${next}`] };
}

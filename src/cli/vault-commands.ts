import { SEALED_COLUMNS } from "../app/sealed-columns.ts";
import { toIso } from "../kernel/time.ts";
import type { Context } from "../platform/context.ts";
import { changeMasterKey } from "../platform/vault/master/change-master-key.ts";
import { renewTextKeys } from "../platform/vault/rotation/renew-text-keys.ts";
import { rotateKeys } from "../platform/vault/rotation/rotate-keys.ts";
import { vaultStatus } from "../platform/vault/status/vault-status.ts";
import type { Command, CommandOutput } from "./command.ts";
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

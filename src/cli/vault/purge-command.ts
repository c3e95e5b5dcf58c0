import { cardsToPurge, type PurgeCandidate, purgeCard } from "../../features/payment-instruments/index.ts";
import { toIso } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import {
  type Command,
  type CommandOutput,
  CommandProblem,
  INTERRUPTED,
  numberOf,
  type ParsedArguments,
} from "../command.ts";
import type { Terminal } from "../terminal.ts";

export const VAULT_PURGE: Command = {
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
};

/**
 * A removed card does not come back, so each is printed at once: whatever ends the command, what it did is on record. The
 * JSON is one document, also after a failure.
 */
async function purge(
  ctx: Context,
  args: ParsedArguments,
  { json, print, interrupted }: Terminal,
): Promise<CommandOutput> {
  const isDryRun = args.flags.has("dry-run");
  const retention = {
    expiredDays: numberOf(args, "expired-days", [0, 3_650]),
    unusedDays: numberOf(args, "unused-days", [1, 3_650]),
  };
  const stop = interrupted();
  let count = 0;
  let problem: unknown;
  if (json) await print(`{"dryRun":${isDryRun},"cards":[`);
  try {
    for await (const candidate of cardsToPurge(ctx, retention)) {
      if (stop.aborted) throw new CommandProblem(INTERRUPTED);
      const card = isDryRun ? candidate : await purgeCard(ctx, candidate, retention);
      if (card === undefined) continue;
      await print(json ? `${count === 0 ? "" : ","}${JSON.stringify(shown(card))}` : lineOf(card));
      count += 1;
    }
  } catch (error) {
    problem = error;
  }
  const isComplete = problem === undefined;
  await print(json ? `],"count":${count},"complete":${isComplete}}` : totalOf(count, isDryRun, isComplete));
  return { json: undefined, lines: [], problem };
}

function totalOf(count: number, isDryRun: boolean, isComplete: boolean): string {
  if (!isComplete) return `${count} ${isDryRun ? "would be removed" : "removed"} so far.`;
  if (count === 0) return "No card is due.";
  return `${count} ${isDryRun ? "would be removed; run it without --dry-run to remove them" : "removed"}.`;
}

function shown({ instrument, lastUsedAt, reason }: PurgeCandidate) {
  const { merchantId, customerId, id: paymentInstrumentId, card } = instrument;
  const { cardType, last4, expiryMonth, expiryYear } = card;
  return {
    ...{ merchantId, customerId, paymentInstrumentId, cardType, last4, expiryMonth, expiryYear },
    lastUsedDateTime: toIso(lastUsedAt),
    reason,
  };
}

function lineOf({ instrument: { merchantId, id, card }, lastUsedAt, reason }: PurgeCandidate): string {
  const expiry = `${String(card.expiryMonth).padStart(2, "0")}/${card.expiryYear}`;
  return [merchantId, id, `${card.cardType} …${card.last4}`, expiry, reason, toIso(lastUsedAt)].join("  ");
}

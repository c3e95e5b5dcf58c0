import { setTimeout as pause } from "node:timers/promises";
import { createEventFollower, type FollowedEvent } from "../features/events/index.ts";
import { listMerchants, type Merchant } from "../features/merchants/index.ts";
import { type Context, clockOf } from "../platform/context.ts";
import { isDatabaseAway } from "../platform/db/errors.ts";
import { getMerchant } from "./choose-merchant.ts";
import type { CommandOutput } from "./command.ts";
import { eventLine } from "./event-line.ts";
import type { Terminal } from "./terminal.ts";

const POLL_MS = 300;
const RETRY_MS = 1_000;

/** Prints events as they are published, until the operator interrupts. Waits while the database is unavailable. */
export async function listenToEvents(
  ctx: Context,
  merchantId: string | undefined,
  event: string | undefined,
  terminal: Terminal,
): Promise<CommandOutput> {
  const interrupted = terminal.interrupted();
  const followed = async (): Promise<readonly Merchant[]> =>
    merchantId === undefined ? listMerchants(ctx.db) : [await getMerchant(ctx, merchantId)];
  const follower = createEventFollower();
  const poll = async () => {
    const merchants = (await followed()).map((one) => ({ id: one.id, now: clockOf(ctx, one) }));
    return follower.poll(ctx.db, merchants);
  };
  await poll();
  terminal.note("Following events; Ctrl-C ends it.");
  for (let isWaiting = false; !interrupted.aborted; ) {
    await pause(isWaiting ? RETRY_MS : POLL_MS, undefined, { signal: interrupted }).catch(() => {});
    try {
      const events = interrupted.aborted ? [] : await poll();
      if (isWaiting) terminal.note("The database is available again.");
      isWaiting = false;
      for (const one of events)
        if (event === undefined || one.event === event) await show(one, terminal, merchantId);
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      if (!isWaiting) terminal.note("The database is unavailable; waiting for it.");
      isWaiting = true;
    }
  }
  return { json: undefined, lines: [] };
}

function show({ merchantId, body }: FollowedEvent, { json, print }: Terminal, only?: string): Promise<void> {
  if (json) return print(JSON.stringify({ merchantId, ...(JSON.parse(body) as object) }));
  return print(only === undefined ? `${eventLine(body)}  ${merchantId}` : eventLine(body));
}

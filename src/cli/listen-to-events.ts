import { setTimeout as pause } from "node:timers/promises";
import { createEventFollower, type FollowedEvent } from "../features/events/index.ts";
import { listMerchants, type Merchant } from "../features/merchants/index.ts";
import { type Context, clockOf } from "../platform/context.ts";
import { isDatabaseAway } from "../platform/db/errors.ts";
import type { Said } from "./command.ts";
import { eventLine } from "./event-line.ts";
import { getMerchant } from "./look-up.ts";
import type { Terminal } from "./terminal.ts";

const EVERY_MS = 300;
const AWAY_MS = 1_000;

/** Prints events as they are announced, until somebody has had enough. A database that is away is waited for. */
export async function listenToEvents(
  ctx: Context,
  merchantId: string | undefined,
  event: string | undefined,
  terminal: Terminal,
): Promise<Said> {
  const end = terminal.interrupted();
  const whose = async (): Promise<readonly Merchant[]> =>
    merchantId === undefined ? listMerchants(ctx.db) : [await getMerchant(ctx, merchantId)];
  const follower = createEventFollower();
  const look = async () => {
    const merchants = (await whose()).map((one) => ({ id: one.id, now: clockOf(ctx, one) }));
    return follower.poll(ctx.db, merchants);
  };
  await look();
  terminal.tell("Following events; Ctrl-C ends it.");
  for (let away = false; !end.aborted; ) {
    await pause(away ? AWAY_MS : EVERY_MS, undefined, { signal: end }).catch(() => {});
    try {
      const news = end.aborted ? [] : await look();
      if (away) terminal.tell("The database is back.");
      away = false;
      for (const one of news) if (event === undefined || one.event === event) show(one, terminal, merchantId);
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      if (!away) terminal.tell("The database is away; waiting for it.");
      away = true;
    }
  }
  return { json: undefined, lines: [] };
}

function show({ merchantId, body }: FollowedEvent, terminal: Terminal, only: string | undefined): void {
  if (terminal.json) terminal.print(JSON.stringify({ merchantId, ...(JSON.parse(body) as object) }));
  else terminal.print(only === undefined ? `${eventLine(body)}  ${merchantId}` : eventLine(body));
}

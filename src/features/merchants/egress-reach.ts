import type { Mode } from "../../kernel/mode.ts";
import { SECOND } from "../../kernel/time.ts";
import type { SandboxPrivateWebhooks, Settings } from "../../platform/config/settings.ts";
import type { Context } from "../../platform/context.ts";
import type { Reach } from "../../platform/egress/address.ts";
import { MERCHANTS } from "./keys/create-key.ts";
import { hasOpenLiveMerchant } from "./queries.ts";

const REACH: Readonly<Record<SandboxPrivateWebhooks, Reach>> = {
  off: "public-in-sandbox",
  loopback: "public-and-loopback",
  private: "private",
};

/** The farthest that a merchant's URL may reach, whatever other merchants this gateway has. */
export function farthestReach(mode: Mode, settings: Settings): Reach {
  if (mode === "live") return "public";
  const { sandboxPrivateWebhooks: set, host } = settings;
  return REACH[set ?? (isLoopback(host) ? "loopback" : "off")];
}

/**
 * How far a merchant's URL may reach now. Sandbox merchants also test on their own machine, but not on one where a live
 * merchant is open: there loopback leads to the host's own services.
 */
export async function reachFor(ctx: Context, mode: Mode): Promise<Reach> {
  const farthest = farthestReach(mode, ctx.settings);
  const isDefault = ctx.settings.sandboxPrivateWebhooks === undefined;
  if (!isDefault || farthest !== "public-and-loopback") return farthest;
  return (await isAnyLiveOpen(ctx)) ? "public-in-sandbox" : farthest;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

type Known = { isOpen: boolean; until: number; changes: number };

/** As long as callers are cached. Deliveries ask for it many times a second. */
const KNOWN_FOR = 3 * SECOND;
const known = new WeakMap<Context["cacheInvalidation"], Known>();

async function isAnyLiveOpen(ctx: Context): Promise<boolean> {
  const kept = known.get(ctx.cacheInvalidation) ?? keepFrom(ctx);
  if (kept.until > ctx.now()) return kept.isOpen;
  const { changes } = kept;
  const isOpen = await hasOpenLiveMerchant(ctx.db);
  // What was read during a change may be outdated.
  if (kept.changes === changes) Object.assign(kept, { isOpen, until: ctx.now() + KNOWN_FOR });
  return isOpen;
}

function keepFrom(ctx: Context): Known {
  const kept: Known = { isOpen: false, until: 0, changes: 0 };
  known.set(ctx.cacheInvalidation, kept);
  ctx.cacheInvalidation.onChange(MERCHANTS, () => {
    kept.until = 0;
    kept.changes += 1;
  });
  return kept;
}

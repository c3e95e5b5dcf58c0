import { type Instant, later, SECOND } from "../../../kernel/time.ts";
import type { Context } from "../../../platform/context.ts";
import { overAllServers } from "../../../platform/db/by-merchant.ts";
import type { Presence } from "../../../platform/db/presence.ts";
import { createCandidateFinder } from "./find-candidates.ts";
import { listOrphaned } from "./orphaned/queries.ts";
import { type DueSubscription, releaseLeases, renewLeases, takeDue } from "./queries.ts";

const LEASE_SECONDS = 5;
const RENEW_EVERY = 1.5 * SECOND;
/** A merchant with nothing due for this long is released to the node that sees its next event first. */
const RELEASE_AFTER_IDLE = 3 * SECOND;
const NEW_MERCHANTS_AT_ONCE = 64;
/** In a distributed database: how often deleted subscriptions are looked for, and those of how many merchants. */
const SWEEP_EVERY = 2 * SECOND;
const SWEPT_AT_ONCE = 4_096;

type Lease = { until: Instant; lastDue: Instant };

/** The merchants that this node serves. */
export type Leases = {
  /** Leases merchants with due deliveries and returns the due subscriptions of all merchants that this node serves. */
  readonly takeDue: () => Promise<readonly DueSubscription[]>;
  /** Renews the leases when it is time, and releases idle merchants. */
  readonly renew: () => Promise<void>;
  readonly isValid: (merchantId: string) => boolean;
  readonly releaseAll: () => Promise<void>;
};

export type LeaseParts = {
  /** The name under which this node holds its leases. */
  readonly presence: () => Presence;
  readonly isBusy: (merchantId: string) => boolean;
  /** Called when this node stops serving a merchant. */
  readonly onReleased: (merchantId: string) => void;
};

export function createLeases({ db, now }: Context, { presence, isBusy, onReleased }: LeaseParts): Leases {
  const leases = new Map<string, Lease>();
  const findCandidates = createCandidateFinder(now);
  let holder = presence();
  let renewAt = now();
  let sweepAt = now();
  let sweptThrough = "";

  function drop(merchantId: string): void {
    leases.delete(merchantId);
    onReleased(merchantId);
  }

  /** Other nodes may have taken the leases of a lost session, so this node drops them all and starts with a new name. */
  async function replaceLostHolder(): Promise<void> {
    if (!holder.isOver()) return;
    for (const id of leases.keys()) drop(id);
    const { name } = holder;
    holder = presence();
    await releaseLeases(db, name, null);
  }

  async function releaseIdle(at: Instant): Promise<void> {
    const idle = [...leases.keys()].filter((id) => {
      const lastDue = leases.get(id)?.lastDue ?? at;
      return lastDue + RELEASE_AFTER_IDLE < at && !isBusy(id);
    });
    for (const id of idle) drop(id);
    if (idle.length > 0) await releaseLeases(db, holder.name, idle);
  }

  async function renew(): Promise<void> {
    await replaceLostHolder();
    const at = now();
    if (at < renewAt || leases.size === 0) return;
    await releaseIdle(at);
    const renewed = new Set(await renewLeases(db, holder.name, LEASE_SECONDS));
    for (const [id, lease] of leases) {
      if (renewed.has(id)) lease.until = later(at, LEASE_SECONDS * SECOND);
      else drop(id);
    }
    renewAt = later(at, RENEW_EVERY);
  }

  async function sweep(at: Instant): Promise<readonly DueSubscription[]> {
    if (at < sweepAt) return [];
    sweepAt = later(at, SWEEP_EVERY);
    const { orphaned, last } = await overAllServers(
      db,
      () => listOrphaned(db, sweptThrough, SWEPT_AT_ONCE),
      async () => ({ orphaned: [], last: sweptThrough }),
    );
    sweptThrough = last;
    return orphaned;
  }

  return {
    renew,
    takeDue: async () => {
      const at = now();
      const due = await takeDue(db, holder, {
        held: [...leases.keys()],
        candidates: await findCandidates(db),
        orphaned: await sweep(at),
        leaseSeconds: LEASE_SECONDS,
        newMerchantsAtMost: NEW_MERCHANTS_AT_ONCE,
      });
      for (const { merchantId } of due) {
        const lease = leases.get(merchantId);
        if (lease === undefined)
          leases.set(merchantId, { until: later(at, LEASE_SECONDS * SECOND), lastDue: at });
        else lease.lastDue = at;
      }
      return due;
    },
    isValid: (merchantId) => {
      const lease = leases.get(merchantId);
      return !holder.isOver() && lease !== undefined && lease.until > now();
    },
    releaseAll: async () => {
      if (leases.size > 0) await releaseLeases(db, holder.name, null).catch(() => {});
    },
  };
}

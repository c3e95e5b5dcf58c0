import { type Instant, later, SECOND } from "../../../kernel/time.ts";
import type { Context } from "../../../platform/context.ts";
import type { Presence } from "../../../platform/db/presence.ts";
import type { AttemptOutcome, WebhookMetrics } from "../../../platform/metrics/webhook-metrics.ts";
import type { Webhook } from "../../webhooks/index.ts";
import type { DueDelivery, Finding, Outcome } from "../delivery.ts";
import { attemptDelivery } from "./attempt.ts";
import { noteHealth } from "./endpoint-health.ts";
import { createLanes, type Lanes } from "./lanes.ts";
import { createFactsCache, type MerchantFacts } from "./merchant-facts.ts";
import { createOutcomeWriter } from "./outcome-writer.ts";
import { closeDeliveries, type DuePlace, fetchDue, releaseLeases, renewLeases, takeDue } from "./queries.ts";

export type Deliverer = {
  readonly wake: () => void;
  readonly inHand: Lanes["inHand"];
  readonly stop: () => Promise<void>;
};

export type DelivererParts = {
  /** Under which name this node holds its leases. */
  readonly presence: () => Presence;
  readonly metrics: Pick<WebhookMetrics, "attempted" | "firstAttempt" | "disabled">;
};

const POLL_MS = 200;
/** Rounds follow each other no closer than this, and no closer than a quarter of what the last one took. */
const GAP_MS = 5;
const LEASE_SECONDS = 5;
const RENEW_EVERY = 1.5 * SECOND;
/** A merchant who has had nothing due for this long is given free, for whichever node sees its next event first. */
const HELD_IDLE = 3 * SECOND;
const NEW_MERCHANTS_AT_ONCE = 64;
const FETCH_EACH = 200;
const FETCH_EACH_WHEN_FULL = 16;
const QUEUED_AT_MOST = 4_000;
const CLOSE_AT_ONCE = 500;

type Held = { until: Instant; lastDue: Instant };

/**
 * Delivers events until it is stopped. Any number of nodes can do so: a merchant's endpoints are served by the node that
 * holds the merchant's lease, so that what is promised per endpoint holds across nodes. A node that dies lets go when its
 * session ends, or else its lease; what it had sent and not written down is sent again.
 */
export function startDeliverer(ctx: Context, { presence, metrics }: DelivererParts): Deliverer {
  let holder = presence();
  const held = new Map<string, Held>();
  const facts = createFactsCache(ctx);
  let stopped = false;
  let woken = false;
  let wakeUp: () => void = () => {};
  let renewAt: Instant = ctx.now();

  const wake = () => {
    woken = true;
    wakeUp();
  };
  const ledger = createOutcomeWriter(ctx, ({ delivery }) => lanes.forget(delivery));
  const lanes = createLanes({
    urlOf: (place) => {
      const lease = held.get(place.merchantId);
      if (stopped || holder.isOver() || lease === undefined || lease.until <= ctx.now()) return undefined;
      const webhook = facts.find(place.merchantId)?.webhooks.get(place.webhookId);
      return webhook?.status === "active" ? webhook.url : undefined;
    },
    attempt,
    onLow: wake,
  });

  async function attempt(delivery: DueDelivery, url: string): Promise<boolean> {
    const known = facts.find(delivery.merchantId);
    const webhook = known?.webhooks.get(delivery.webhookId);
    if (known === undefined || webhook === undefined) {
      lanes.forget(delivery);
      return false;
    }
    const { changedAt } = delivery;
    if (changedAt !== undefined) metrics.firstAttempt(Math.max(0, ctx.now() - changedAt) / SECOND);
    const outcome = await attemptDelivery(ctx, known, delivery, url);
    metrics.attempted(figureOf(outcome));
    ledger.add(outcome);
    await note(known, webhook, outcome).catch((error: unknown) =>
      ctx.log.warn({ error }, "the health of an endpoint could not be noted"),
    );
    return outcome.status === "delivered";
  }

  /** What is learned of an endpoint holds at once here; other nodes do not serve it. */
  async function note(
    known: MerchantFacts,
    webhook: Webhook,
    { finding, attemptedAt }: { readonly finding: Finding; readonly attemptedAt: Instant },
  ): Promise<void> {
    const changed = await noteHealth(ctx, webhook, finding, attemptedAt);
    if (changed === undefined) return;
    known.webhooks.set(changed.id, changed);
    if (changed.status === "active") return;
    const { merchantId, id } = changed;
    metrics.disabled(finding.kind === "gone" ? "gone" : "failing");
    ctx.log.warn({ merchantId, subjectId: id }, "a webhook is disabled");
    wake();
  }

  /** Others may have taken what was held under a name whose session is gone: it is given up, and asked for anew. */
  async function renameHolder(): Promise<void> {
    if (!holder.isOver()) return;
    for (const id of held.keys()) letGo(id);
    const { name } = holder;
    holder = presence();
    await releaseLeases(ctx.db, name, null);
  }

  async function renew(): Promise<void> {
    const now = ctx.now();
    if (now < renewAt || held.size === 0) return;
    const idle = [...held.keys()].filter((id) => {
      const lastDue = held.get(id)?.lastDue ?? now;
      return lastDue + HELD_IDLE < now && !lanes.isBusy(id);
    });
    for (const id of idle) letGo(id);
    if (idle.length > 0) await releaseLeases(ctx.db, holder.name, idle);
    const still = new Set(await renewLeases(ctx.db, holder.name, LEASE_SECONDS));
    for (const [id, lease] of held) {
      if (still.has(id)) lease.until = later(now, LEASE_SECONDS * SECOND);
      else letGo(id);
    }
    renewAt = later(now, RENEW_EVERY);
  }

  function letGo(merchantId: string): void {
    held.delete(merchantId);
    lanes.drop(merchantId);
    facts.forget(merchantId);
  }

  /** One look at what is due: lease, fetch, and set going. */
  async function round(): Promise<void> {
    await renameHolder();
    await renew();
    const now = ctx.now();
    const places = await takeDue(ctx.db, holder, [...held.keys()], LEASE_SECONDS, NEW_MERCHANTS_AT_ONCE);
    for (const { merchantId } of places) {
      const lease = held.get(merchantId);
      if (lease === undefined)
        held.set(merchantId, { until: later(now, LEASE_SECONDS * SECOND), lastDue: now });
      else lease.lastDue = now;
    }
    const low = places.filter(lanes.isLow);
    const each = lanes.queued() < QUEUED_AT_MOST ? FETCH_EACH : FETCH_EACH_WHEN_FULL;
    const [fetched] = await Promise.all([
      low.length === 0 ? [] : fetchDue(ctx.db, low, lanes.known, each, ctx.now),
      facts.refresh([...new Set(places.map(({ merchantId }) => merchantId))]),
    ]);
    const byPlace = Map.groupBy(fetched, ({ webhookId }) => webhookId);
    for (const place of places) {
      const known = facts.find(place.merchantId);
      const webhook = known?.webhooks.get(place.webhookId);
      const due = byPlace.get(place.webhookId) ?? [];
      if (webhook?.status === "active") lanes.add(place, due, due.length === each);
      else if (known !== undefined) await close(place, webhook);
    }
    lanes.pump();
  }

  /** A portion at a time; the next round goes on. */
  async function close(place: DuePlace, webhook: Webhook | undefined): Promise<void> {
    const why = webhook === undefined ? "subscription_deleted" : "subscription_disabled";
    await closeDeliveries(ctx.db, place, why, CLOSE_AT_ONCE);
    woken = true;
  }

  async function pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    wakeUp = () => {};
  }

  async function loop(): Promise<void> {
    while (!stopped) {
      woken = false;
      const begun = ctx.now();
      try {
        await round();
      } catch (error) {
        ctx.log.warn({ error }, "deliveries wait for the database");
      }
      const gap = Math.min(Math.max((ctx.now() - begun) / 4, GAP_MS), POLL_MS);
      await new Promise((resolve) => setTimeout(resolve, gap));
      if (!woken && !stopped) await pause(POLL_MS - gap);
    }
  }

  const running = loop();
  return {
    wake,
    inHand: lanes.inHand,
    stop: async () => {
      stopped = true;
      wakeUp();
      await running;
      lanes.dropAll();
      await lanes.idle();
      await ledger.close();
      if (held.size > 0) await releaseLeases(ctx.db, holder.name, null).catch(() => {});
    },
  };
}

function figureOf({ status, counted }: Outcome): AttemptOutcome {
  if (!counted) return "own_trouble";
  return status === "pending" ? "retried" : status;
}

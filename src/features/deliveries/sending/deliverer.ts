import { SECOND } from "../../../kernel/time.ts";
import type { Context } from "../../../platform/context.ts";
import { overAllServers } from "../../../platform/db/by-merchant.ts";
import { createOutages } from "../../../platform/db/outages.ts";
import type { Presence } from "../../../platform/db/presence.ts";
import type { AttemptOutcome, WebhookMetrics } from "../../../platform/metrics/webhook-metrics.ts";
import type { Webhook } from "../../webhooks/index.ts";
import type { DueDelivery, Outcome } from "../delivery.ts";
import { type AttemptReport, attemptDelivery } from "./attempt.ts";
import { updateHealth } from "./endpoint-health.ts";
import { createLanes, type Lanes } from "./lanes.ts";
import { createLeases } from "./leases.ts";
import { createFactsCache, type MerchantFacts } from "./merchant-facts.ts";
import { createOutcomeWriter } from "./outcome-writer.ts";
import { closeDeliveries, type DueSubscription, fetchDue } from "./queries.ts";
import { startRounds } from "./rounds.ts";

export type Deliverer = {
  readonly wake: () => void;
  readonly inHand: Lanes["inHand"];
  readonly stop: () => Promise<void>;
};

export type DelivererParts = {
  /** The name under which this node holds its leases. */
  readonly presence: () => Presence;
  readonly metrics: Pick<WebhookMetrics, "attempted" | "firstAttempt" | "disabled">;
};

const FETCH_EACH = 200;
const FETCH_EACH_WHEN_FULL = 16;
const QUEUED_AT_MOST = 4_000;
const CLOSE_AT_ONCE = 500;

/**
 * Delivers events until it is stopped. Any number of nodes can deliver: the node with a merchant's lease serves all of the
 * merchant's endpoints, so that limits per endpoint hold across nodes. The leases of a dead node end with its database
 * session or expire; another node sends again what the dead one had sent without writing the outcome.
 */
export function startDeliverer(node: Context, { presence, metrics }: DelivererParts): Deliverer {
  const says = "webhooks of the merchants on a database server that is away wait for it";
  const ctx: Context = { ...node, db: { ...node.db, outages: createOutages(node, says) } };
  const facts = createFactsCache(ctx);
  let isStopped = false;

  const writer = createOutcomeWriter(ctx, ({ delivery }) => lanes.forget(delivery));
  const leases = createLeases(ctx, {
    presence,
    isBusy: (merchantId) => lanes.isBusy(merchantId),
    onReleased: (merchantId) => {
      lanes.drop(merchantId);
      facts.forget(merchantId);
    },
  });
  const lanes = createLanes({
    urlOf: ({ merchantId, webhookId }) => {
      if (isStopped || !leases.isValid(merchantId)) return undefined;
      const webhook = facts.find(merchantId)?.webhooks.get(webhookId);
      return webhook?.status === "active" ? webhook.url : undefined;
    },
    attempt,
    onLow: () => rounds.wake(),
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
    const outcome = await attemptDelivery(ctx, known, delivery, url).catch((error: unknown) => {
      ctx.log.warn({ error }, "webhook not sent, sent again soon: the database is unavailable");
    });
    if (outcome === undefined) {
      // Without an outcome nothing is written that would make it free for the next round.
      lanes.forget(delivery);
      return false;
    }
    metrics.attempted(metricOf(outcome));
    writer.add(outcome);
    await recordHealth(known, webhook, outcome).catch((error: unknown) =>
      ctx.log.warn({ error }, "webhook endpoint health not updated: the database is unavailable"),
    );
    return outcome.status === "delivered";
  }

  /** A changed subscription applies here at once; other nodes do not serve it. */
  async function recordHealth(
    known: MerchantFacts,
    webhook: Webhook,
    { result, attemptedAt }: AttemptReport,
  ): Promise<void> {
    const changed = await updateHealth(ctx, webhook, result, attemptedAt);
    if (changed === undefined) return;
    known.webhooks.set(changed.id, changed);
    if (changed.status === "active") return;
    const { merchantId, id } = changed;
    const isGone = result.kind === "gone";
    metrics.disabled(isGone ? "gone" : "failing");
    const reason = isGone ? "its endpoint answered 410" : "its endpoint failed for five days";
    ctx.log.warn({ merchantId, subjectId: id }, `webhook disabled: ${reason}`);
    rounds.wake();
  }

  /** Leases merchants with due deliveries, fetches the deliveries and starts them. */
  async function round(): Promise<void> {
    await leases.renew();
    const due = await leases.takeDue();
    const limitEach = lanes.queued() < QUEUED_AT_MOST ? FETCH_EACH : FETCH_EACH_WHEN_FULL;
    const [fetched] = await Promise.all([
      fetchDue(ctx.db, due.filter(lanes.isLow), {
        eventsInProgress: lanes.eventsInProgress,
        limitEach,
        now: ctx.now,
      }),
      facts.refresh([...new Set(due.map(({ merchantId }) => merchantId))]),
    ]);
    const bySubscription = Map.groupBy(fetched, ({ webhookId }) => webhookId);
    const inactive: (readonly [DueSubscription, Webhook | undefined])[] = [];
    for (const subscription of due) {
      const known = facts.find(subscription.merchantId);
      const webhook = known?.webhooks.get(subscription.webhookId);
      const deliveries = bySubscription.get(subscription.webhookId) ?? [];
      if (webhook?.status === "active") lanes.add(subscription, deliveries, deliveries.length === limitEach);
      else if (known !== undefined) inactive.push([subscription, webhook]);
    }
    lanes.pump();
    for (const [subscription, webhook] of inactive) await close(subscription, webhook);
  }

  /** Fails what is due for an inactive subscription, one batch per round. Citus does that on all servers, or not yet. */
  async function close(subscription: DueSubscription, webhook: Webhook | undefined): Promise<void> {
    const reason = webhook === undefined ? "subscription_deleted" : "subscription_disabled";
    await overAllServers(
      ctx.db,
      async () => {
        await closeDeliveries(ctx.db, subscription, reason, CLOSE_AT_ONCE);
        rounds.wake();
      },
      async () => {},
    );
  }

  const rounds = startRounds(ctx, round);
  return {
    wake: rounds.wake,
    inHand: lanes.inHand,
    stop: async () => {
      isStopped = true;
      await rounds.stop();
      lanes.dropAll();
      await lanes.idle();
      await writer.close();
      await leases.releaseAll();
    },
  };
}

function metricOf({ status, isCounted }: Outcome): AttemptOutcome {
  if (!isCounted) return "own_error";
  return status === "pending" ? "retried" : status;
}

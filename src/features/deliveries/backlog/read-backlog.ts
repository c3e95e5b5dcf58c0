import type { Tx } from "../../../platform/db/database.ts";
import { BACKLOG_COUNTED, type Backlog } from "../../../platform/metrics/webhook-metrics.ts";
import { webhooksOf } from "../../webhooks/index.ts";
import { type DueOf, listLatestDue, listOldestDue } from "./queries.ts";

/**
 * What is due, apart from what waits for endpoints that fail: that is the merchants' to fix. Where a failing endpoint has
 * all of the oldest deliveries, those that became due last show how late the others are at least.
 */
export async function readBacklog(tx: Tx): Promise<Backlog> {
  const oldest = await split(tx, await listOldestDue(tx, BACKLOG_COUNTED));
  if (oldest.due > 0 || oldest.failing < BACKLOG_COUNTED) return oldest;
  return { ...(await split(tx, await listLatestDue(tx, BACKLOG_COUNTED))), failing: oldest.failing };
}

async function split(tx: Tx, all: readonly DueOf[]): Promise<Backlog> {
  if (all.length === 0) return { due: 0, oldestSeconds: 0, failing: 0 };
  const webhooks = await webhooksOf(tx, [...new Set(all.map(({ merchantId }) => merchantId))]);
  const failing = new Set(
    webhooks
      .filter(({ status, failingSince }) => status === "active" && failingSince !== null)
      .map(({ merchantId, id }) => `${merchantId} ${id}`),
  );
  const isFailing = ({ merchantId, webhookId }: DueOf) => failing.has(`${merchantId} ${webhookId}`);
  const others = all.filter((one) => !isFailing(one));
  const sum = (some: readonly DueOf[]) => some.reduce((total, { due }) => total + due, 0);
  return {
    due: sum(others),
    oldestSeconds: Math.max(0, ...others.map(({ oldestSeconds }) => oldestSeconds)),
    failing: sum(all.filter(isFailing)),
  };
}

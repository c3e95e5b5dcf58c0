import type { World } from "../../platform/world.ts";
import type { Merchant } from "../merchants/index.ts";
import { findTransaction, isAuthenticating, type Transaction } from "../transactions/index.ts";
import { endUnauthenticated } from "./finish-attempt.ts";
import type { Session } from "./session.ts";

/** Ends an attempt whose payer left the challenge. The acquirer was never called, so there is nothing to ask it. */
export async function abandonAttempt(world: World, merchant: Merchant, attempt: Transaction): Promise<void> {
  if (isAuthenticating(attempt)) await endUnauthenticated(world, merchant, attempt, "abandoned");
}

/** The frame or the page says that its payer is leaving. */
export async function abandonSession(world: World, { transactionId, merchant }: Session): Promise<void> {
  if (transactionId === null) return;
  const attempt = await findTransaction(world.db, merchant.id, transactionId);
  if (attempt !== undefined) await abandonAttempt(world, merchant, attempt);
}

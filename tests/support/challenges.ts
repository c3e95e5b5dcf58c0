import assert from "node:assert/strict";
import { type Frame, ok, openFrame, type RequestOverrides, type Shop } from "./checkout.ts";

export const SECURE = { authenticationType: "3d_secure" };

/** What the payer's browser says of itself, for the method step. */
export const BROWSER = {
  language: "en-AU",
  javaEnabled: false,
  colourDepth: 24,
  timeZoneOffset: -600,
  screenWidth: 390,
  screenHeight: 844,
};

export type Challenged = {
  readonly frame: Frame;
  readonly transactionId: string;
  /** The bank's page, and what the frame keeps meanwhile. */
  readonly url: string;
  readonly sealed: string;
};

/** A frame whose payment the bank challenges. */
export const openChallenging = (shop: Shop, overrides: RequestOverrides = {}): Promise<Frame> =>
  openFrame(shop, { amount: 14_418, category: SECURE, ...overrides });

/** A payment that waits for the payer's challenge. */
export async function challenged(shop: Shop, overrides: RequestOverrides = {}): Promise<Challenged> {
  return payChallenged(await openChallenging(shop, overrides));
}

export async function payChallenged(frame: Frame): Promise<Challenged> {
  const { state, transactionId, challenge, result } = ok(await frame.pay());
  assert.equal(state, "challenge");
  assert.deepEqual(result, { mode: "sandbox", status: "pending" });
  return { frame, transactionId, url: challenge.url, sealed: challenge.sealed };
}

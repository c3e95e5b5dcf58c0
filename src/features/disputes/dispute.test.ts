import assert from "node:assert/strict";
import { test } from "node:test";
import { Refusal } from "../../kernel/refusal.ts";
import { DAY, instant, later } from "../../kernel/time.ts";
import { change, type Dispute, needsResponse, RESPONSE_TIME, respond } from "./dispute.ts";

const NOW = instant(Date.UTC(2026, 10, 16));
const DISPUTE = {
  status: "needs_response",
  evidenceDueAt: later(NOW, 1_000),
  updatedAt: NOW,
} as Dispute;

test("a merchant has 14 days to respond", () => {
  assert.equal(RESPONSE_TIME, 14 * DAY);
});

test("a dispute needs a response until its due date, and not after an answer", () => {
  assert.equal(needsResponse(DISPUTE, NOW), true);
  assert.equal(needsResponse(DISPUTE, later(NOW, 999)), true);
  assert.equal(needsResponse(DISPUTE, later(NOW, 1_000)), false);
  assert.equal(needsResponse({ ...DISPUTE, status: "under_review" }, NOW), false);
});

test("a response changes it once, in time, and moves its last change", () => {
  const sent = respond(DISPUTE, "sendEvidence", NOW);
  assert.equal(sent.status, "under_review");
  assert.ok(sent.updatedAt > NOW);
  assert.equal(respond(DISPUTE, "accept", NOW).status, "accepted");
  assert.throws(() => respond(sent, "accept", NOW), Refusal);
  assert.throws(() => respond(DISPUTE, "accept", DISPUTE.evidenceDueAt), Refusal);
});

test("a decided dispute stays decided", () => {
  const won = change(DISPUTE, "win", NOW);
  assert.equal(won?.status, "won");
  assert.equal(won && change(won, "lose", NOW), undefined);
});

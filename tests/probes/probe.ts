import assert from "node:assert/strict";
import { test } from "node:test";

/** One thing that an attacker tries, and whether the gateway held. */
export type Probe = readonly [what: string, holds: () => Promise<boolean>];

export const GROUPS = [
  "auth",
  "tenants",
  "sign-in",
  "HTTP",
  "SSRF",
  "web",
  "money",
  "carding",
  "vault",
  "wallets",
  "host",
] as const;
export type Group = (typeof GROUPS)[number];

export type Tally = Readonly<Record<Group, { tried: number; held: number }>>;

export function newTally(): Tally {
  return Object.fromEntries(GROUPS.map((group) => [group, { tried: 0, held: 0 }])) as Tally;
}

/** A test that makes every probe of a group, also after one that did not hold, and counts them. */
export function probe(tally: Tally, group: Group, probes: () => readonly Probe[]): void {
  test(`${group}: every probe holds`, async () => {
    const failed: string[] = [];
    for (const [what, holds] of probes()) {
      tally[group].tried += 1;
      if (await holds()) tally[group].held += 1;
      else failed.push(what);
    }
    assert.ok(tally[group].tried > 0);
    assert.deepEqual(failed, []);
  });
}

export function printTally(tally: Tally): string {
  const rows = GROUPS.map((group) => [group, tally[group].tried, tally[group].held] as const);
  const lines = rows.map(([group, tried, held]) => `${group.padEnd(8)} tried ${tried}, held ${held}`);
  const sum = (at: 1 | 2) => rows.reduce((total, row) => total + row[at], 0);
  return [...lines, `all      tried ${sum(1)}, held ${sum(2)}`].join("\n");
}

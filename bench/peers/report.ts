import type { Finding } from "../question.ts";
import type { Absent, Peer } from "./contenders.ts";
import type { Work } from "./flows.ts";
import { ARRIVALS, CALLERS, type Result } from "./measure.ts";

const NAME = 28;

/** One line per program and table, then ratios, then what the reader must know to compare them. */
export function reportPeers(results: readonly Result[], absent: readonly Absent[]): Finding {
  const [ours, ...others] = results;
  if (ours === undefined) throw new Error("the gateway was not measured");
  const failed = results.filter(({ failures }) => failures > 0);
  const lines = [
    row(`${CALLERS} callers`, [
      "create/s",
      "p50 ms",
      "payment/s",
      "p50 ms",
      "read/s",
      "p50 ms",
      "data is kept",
    ]),
    ...results.map(rates),
    ...absent.map(({ name, obstacle }) => `${name.padEnd(NAME)} ${obstacle}`),
    "",
    row(`${ARRIVALS} payments/s arrive`, [
      "p50 ms",
      "p99 ms",
      "ready ms",
      "rest MB",
      "busy MB",
      "install MB",
    ]),
    ...results.map(costs),
    "",
    ...others.map((other) => ratios(ours, other)),
    "",
    ...NOTES,
    ...failed.map(
      ({ peer, failures, problem }) => `${peer.name}: ${failures} works failed, the first with: ${problem}`,
    ),
  ];
  return { lines, met: failed.length === 0, summary: summaryOf(ours, others) };
}

const NOTES = [
  "payment: created, paid and read until it shows as paid. tidegate: five calls (request, token, frame, payment, read), the",
  "first two and the payment flushed to disk before the answer. emulate: three (intent, confirmation, read), in memory.",
  "stripe-stateful-mock: two (charge, read): it has no payment to be made, so no create; in memory. Prism: answers with",
  "examples of our own description and keeps nothing, so no payment; its read shows an example. Medusa: three calls of its",
  "payment module with the built-in provider, which approves everything; on the same PostgreSQL server as ours.",
  "ready: process start until the first work is answered; both databases exist and are migrated. Memory: resident, without",
  "PostgreSQL. Install: all files; ours with Node 24 and PostgreSQL 18, which the others need apart or not at all.",
];

function rates({ peer, works }: Result): string {
  const cells = (["create", "payment", "read"] as const).flatMap((work: Work) => {
    const one = works[work];
    return one === undefined ? ["-", "-"] : [one.rate.toFixed(0), one.p50.toFixed(1)];
  });
  return row(peer.name, [...cells, peer.keeps]);
}

function costs({ peer, openLoop, startMs, memoryMb, busyMemoryMb }: Result): string {
  const latencies = openLoop === undefined ? ["-", "-"] : [openLoop.p50.toFixed(1), openLoop.p99.toFixed(1)];
  const sizes = [startMs, memoryMb, busyMemoryMb, megabytes(peer)].map((one) => one.toFixed(0));
  return row(peer.name, [...latencies, ...sizes]);
}

function ratios(ours: Result, other: Result): string {
  const rate = (work: Work) => {
    const [our, their] = [ours.works[work], other.works[work]];
    return our === undefined || their === undefined ? [] : [`${work}s ${times(our.rate / their.rate)}`];
  };
  const parts = [
    ...(["create", "payment", "read"] as const).flatMap(rate),
    `ready in ${times(ours.startMs / other.startMs)} the time`,
    `memory at rest ${times(ours.memoryMb / other.memoryMb)}`,
  ];
  return `ours against ${other.peer.name} (${other.peer.keeps}): ${parts.join(", ")}`;
}

/** For the README: the three figures that matter, each in a short line; the first against what keeps its data, as we do. */
function summaryOf(ours: Result, others: readonly Result[]): readonly string[] {
  const rival = others.find(({ peer }) => peer.keeps === "on disk");
  const [our, their] = [ours.works.payment, rival?.works.payment];
  const { openLoop } = ours;
  if (rival === undefined || our === undefined || their === undefined || openLoop === undefined) return [];
  const [name] = rival.peer.name.split(" ");
  return [
    `- ${our.rate.toFixed(0)} payments a second, kept on disk: ${times(our.rate / their.rate)} ${name} on the same PostgreSQL.`,
    `- ${openLoop.p50.toFixed(0)} ms for a whole payment (p99 ${openLoop.p99.toFixed(0)} ms) while ${ARRIVALS} arrive a second.`,
    `- Ready after ${(ours.startMs / 1_000).toFixed(1)} s, with ${ours.memoryMb.toFixed(0)} MB of memory.`,
  ];
}

function times(ratio: number): string {
  return `${ratio.toFixed(ratio < 10 ? 2 : 0)} ×`;
}

function megabytes({ bytes }: Peer): number {
  return bytes / 1e6;
}

function row(name: string, cells: readonly string[]): string {
  return `${name.padEnd(NAME)} ${cells.map((cell) => cell.padStart(10)).join(" ")}`;
}

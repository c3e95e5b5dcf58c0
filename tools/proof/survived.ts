import { isOfThisCode } from "./code-of-run.ts";
import { inWords } from "./judge.ts";
import type { ProofRecord, Recorded } from "./record.ts";

/** A fault, and the one proof that counts it. Only the trials of races are added up: each proof of them counts the same. */
type Fault = {
  readonly fault: string;
  /** Of several, names end with it. */
  readonly proof: string | { readonly endsWith: string };
  /** Names of counts, and how the row calls them. */
  readonly counts: Readonly<Record<string, string>>;
  /** How many of all there are, of runs that say it. */
  readonly share?: (run: Recorded) => string | undefined;
  readonly held: string;
};

/** All of it is checked under mixed load: tests/support/settle.ts. */
const KEPT = "nothing answered is lost or done twice; the banks' ledgers agree";
const FUZZED = "no 5xx; every answer matches its description";

const FAULTS: readonly Fault[] = [
  {
    fault: "nodes killed at random moments",
    proof: "mixed-kills",
    counts: { kills: "kills", payments: "payments" },
    held: KEPT,
  },
  {
    fault: "nodes killed at statements and connector calls that the load reaches",
    proof: "crash-points",
    counts: { "crash points": "crash points", "crash points reached": "reached", kills: "kills" },
    share: interruptedWrites,
    held: KEPT,
  },
  { fault: "database killed", proof: "database-kills", counts: { "database kills": "kills" }, held: KEPT },
  {
    fault: "answer to a commit lost",
    proof: "lost-commits",
    counts: { "lost commit answers": "lost answers" },
    held: KEPT,
  },
  {
    fault: "database away",
    proof: "database-away",
    counts: { outages: "outages", "calls answered during outages": "calls answered during outages" },
    held: KEPT,
  },
  {
    fault: "failover of the primary",
    proof: "failover",
    counts: {
      "machines killed": "machines killed",
      "PostgreSQL servers killed": "PostgreSQL servers killed",
      "machines frozen": "machines frozen",
      switchovers: "switchovers",
    },
    held: "no acknowledged payment, capture, refund or event is lost; the bank's ledger agrees",
  },
  {
    fault: "bad answers of the sandbox's acquirer, 3D Secure, debit bank and PayID rail",
    proof: "connector-faults",
    counts: {
      "connector answers: slow": "slow",
      "connector answers: late": "after the gateway's deadline",
      "connector answers: hangs": "hanging",
      "connector answers: garbage": "garbage",
      "connector answers: twice": "doubled",
      "connector answers: fails before": "failed before the work was done",
      "connector answers: fails after": "failed after it was done",
    },
    held: KEPT,
  },
  {
    fault:
      "answers of Adyen that are late, garbled, missing or errors; its notifications doubled, at once and in any order",
    proof: "adyen-faults",
    counts: {
      payments: "payments",
      "faults of Adyen's API": "faults",
      "notifications of Adyen, each sent three times": "notifications, each three times",
    },
    held: "gateway and Adyen agree to the cent; a repeated notification changes nothing",
  },
  {
    fault: "nodes killed, and an ISO 8583 host whose answers are late, lost, doubled, garbled or cut",
    proof: "iso8583-kills",
    counts: { kills: "kills", "faults on the link": "faults on the link", payments: "payments" },
    held: "gateway and host agree to the cent",
  },
  {
    fault: "gateway and database killed while webhooks go out",
    proof: "webhook-kills",
    counts: { kills: "kills", events: "events" },
    held: "no event is lost",
  },
  { fault: "disk full", proof: "disk-full", counts: { "full disks": "times" }, held: KEPT },
  { fault: "clock of a node jumps", proof: "clock-jumps", counts: { "clock jumps": "jumps" }, held: KEPT },
  {
    fault: "rolling restart and upgrade",
    proof: "rolling",
    counts: {
      "rounds of rolling restarts": "rounds of restarts",
      "rolling upgrades": "upgrades",
      "migrations crossed": "migrations crossed",
    },
    held: `no call is interrupted; ${KEPT}`,
  },
  {
    fault: "conflicting calls at the same moment",
    proof: { endsWith: "-races" },
    counts: { trials: "trials", "racing calls": "racing calls" },
    held: "only what may win wins; the invariants hold",
  },
  {
    fault: "requests made from the OpenAPI description",
    proof: "openapi-fuzz",
    counts: { "fuzzed requests": "requests" },
    held: `${FUZZED}; accepted exactly when the model accepts; another merchant's ids are unknown ids`,
  },
  {
    fault: "requests of another fuzzer",
    proof: "schemathesis",
    counts: { "requests by schemathesis": "requests" },
    held: FUZZED,
  },
  {
    fault: "bugs planted in the code",
    proof: "planted-bugs",
    counts: { "planted bugs": "bugs", "planted bugs caught": "caught" },
    held: "a named check fails for each",
  },
  {
    fault: "small changes of the code",
    proof: "mutations",
    counts: {
      mutants: "mutants",
      "mutants killed by a failing test": "killed by a failing test",
      "mutants timed out": "timed out",
      "mutants survived": "survived",
    },
    held: "tests notice them, but for those that survived",
  },
  {
    fault: "a day of work without a restart",
    proof: "long-life",
    counts: { "simulated hours": "simulated hours", payments: "payments" },
    held: "memory, file handles, connections, prepared statements and latencies of the last quarter, and the growth of tables in it, are within fixed bounds of the first quarter's",
  },
];

/** Rows of `fault, how many, what held, slowest to settle, proof`, of what has a record. */
export function survivedFaults(record: ProofRecord): readonly (readonly string[])[] {
  return FAULTS.flatMap(({ fault, proof, counts, share = () => undefined, held }) => {
    const runs = record.runs.filter(
      ({ name, verdict }) =>
        verdict !== "skipped" && (typeof proof === "string" ? name === proof : name.endsWith(proof.endsWith)),
    );
    if (runs.length === 0) return [];
    const failed = runs.filter(({ verdict }) => verdict === "FAILED").map(({ name }) => name);
    const settled = runs.flatMap(({ most }) => most["seconds to settle"] ?? []);
    return [
      [
        fault,
        [inWords(sumsOf(counts, runs)), ...runs.flatMap((run) => share(run) ?? [])].join(", "),
        failed.length === 0 ? held : `FAILED: ${failed.join(", ")}`,
        settled.length === 0 ? "" : `${Math.max(...settled)} s`,
        runs.map((run) => nameOf(run, isOfThisCode(run, record))).join(", "),
      ],
    ];
  });
}

function nameOf({ name, long }: Recorded, isOfThis: boolean): string {
  const limits = [...(long ? [] : ["short"]), ...(isOfThis ? [] : ["earlier"])];
  return limits.length === 0 ? name : `${name} (${limits.join(", ")})`;
}

/** Of the statements that write. A run says how many no crash interrupted, later ones also how many there are. */
function interruptedWrites({ counts, most }: Recorded): string | undefined {
  const of = (name: string) => counts[name] ?? most[name];
  const all = of("writing statements");
  // The second is what earlier runs called it.
  const missed =
    of("writing statements without a crash point") ?? of("writing statements that no crash interrupted");
  if (missed === undefined) return undefined;
  if (all === undefined) return `${missed} writing statements not interrupted`;
  return `${all - missed} of ${all} writing statements interrupted`;
}

/** In the words of the row, without what no run has counted. */
function sumsOf(
  words: Readonly<Record<string, string>>,
  runs: readonly Recorded[],
): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const [name, word] of Object.entries(words)) {
    const found = runs.flatMap(({ counts }) => counts[name] ?? []);
    if (found.length > 0) sums[word] = found.reduce((sum, count) => sum + count, 0);
  }
  return sums;
}

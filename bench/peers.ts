import { startCaller } from "./peers/call.ts";
import { type Absent, findPeers, type Peer } from "./peers/contenders.ts";
import { measurePeers } from "./peers/measure.ts";
import { reportPeers } from "./peers/report.ts";
import type { BenchOptions, Finding, Question } from "./question.ts";
import { startDatabaseServer } from "./stage/database.ts";

/** What a developer would run instead, on the same machine and doing the same work. */
export const peers: Question = {
  name: "peers",
  description:
    "the same work (create, pay, read), start, memory and size, beside what a developer would run instead; medians of alternating slices",
  answer: answerPeers,
};

async function answerPeers({ seconds, stage, report }: BenchOptions): Promise<Finding> {
  report("starting PostgreSQL");
  const server = await startDatabaseServer(stage);
  const found = await findPeers({ stage, server, report });
  const absent = found.filter((one): one is Absent => "obstacle" in one);
  const present = found.filter((one): one is Peer => !("obstacle" in one));
  const caller = startCaller(stage);
  return reportPeers(await measurePeers(present, { stage, caller, seconds, report }), absent);
}

import { CREATE_CONNECTIONS, startContenders } from "./creates/contenders.ts";
import { reportCreates } from "./creates/report.ts";
import { startGenerator } from "./load/drive.ts";
import type { BenchOptions, Finding, Question } from "./question.ts";
import { takeTurns } from "./turns.ts";

/** How many durable payment requests per second the gateway creates, relative to one bare insert. */
export const creates: Question = {
  name: "creates",
  description: `durable POST /paymentrequests per second at ${CREATE_CONNECTIONS} connections, against one bare insert of the same bytes`,
  answer: answerCreates,
};

async function answerCreates({ seconds, stage, report }: BenchOptions): Promise<Finding> {
  report("starting PostgreSQL, the floor, the gateway, and the gateway with its log switched off");
  const contenders = await startContenders(stage);
  const generator = startGenerator(stage);
  return reportCreates(await takeTurns(contenders, { generator, seconds, warmUpAnswers: 30_000, report }));
}

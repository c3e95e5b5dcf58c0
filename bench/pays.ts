import { startGenerator } from "./load/drive.ts";
import { PAY_CONNECTIONS, startContenders } from "./pays/contenders.ts";
import { PAYMENTS_A_SECOND, reportPays } from "./pays/report.ts";
import type { BenchOptions, Finding, Question } from "./question.ts";
import { takeTurns } from "./turns.ts";

/** How many payments per second the gateway processes, relative to its two bare database transactions. */
export const pays: Question = {
  name: "pays",
  description: `complete payments (POST /checkout/pay, instant acquirer) per second at ${PAY_CONNECTIONS} connections, against their two bare database transactions`,
  answer: answerPays,
};

async function answerPays({ seconds, stage, report }: BenchOptions): Promise<Finding> {
  report("starting PostgreSQL, making a payment to copy, starting both floors and the gateway");
  const contenders = await startContenders(stage);
  const generator = startGenerator(stage);
  const runs = await takeTurns(contenders, { generator, seconds, warmUpAnswers: 5_000, report });
  report(`the gateway with ${PAYMENTS_A_SECOND} payments a second`);
  const paced = await runs.at(-1)?.contender.load(generator, seconds, PAYMENTS_A_SECOND);
  return reportPays(runs, paced);
}

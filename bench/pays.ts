import { startGenerator } from "./load/drive.ts";
import { PAY_CONNECTIONS, startContenders } from "./pays/contenders.ts";
import { reportPays } from "./pays/report.ts";
import type { BenchOptions, Finding, Question } from "./question.ts";
import { takeTurns } from "./turns.ts";

/** How many payments a second the gateway takes, as a share of what its two transactions alone would reach. */
export const pays: Question = {
  name: "pays",
  asks: `whole payments (POST /checkout/pay, instant acquirer) per second at ${PAY_CONNECTIONS} connections, against their two bare transactions`,
  answer: answerPays,
};

async function answerPays({ seconds, stage, say }: BenchOptions): Promise<Finding> {
  say("starting PostgreSQL, making a payment to copy, starting both floors and the gateway");
  const contenders = await startContenders(stage);
  const generator = startGenerator(stage);
  return reportPays(await takeTurns(contenders, { generator, seconds, warmUpAnswers: 5_000, say }));
}

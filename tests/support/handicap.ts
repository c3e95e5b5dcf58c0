/** A random delay, so that either side can come first. */
export const randomDelay = (atMostMs: number) =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * atMostMs));

/** A busy machine favours one side: the winner waits a little longer the next time, so that both sides win sometimes. */
export function handicap() {
  let payerDelayMs = 0;
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
  return {
    payer: () => Promise.all([randomDelay(40), wait(payerDelayMs)]),
    other: () => Promise.all([randomDelay(40), wait(-payerDelayMs)]),
    settle: (payerWon: boolean) => {
      payerDelayMs += payerWon ? 10 : -10;
    },
  };
}

import type { Context } from "../../../platform/context.ts";

const POLL_MS = 200;
/**
 * The shortest pause between rounds, so that the events of these milliseconds share one. A long round is followed by a
 * quarter of its duration.
 */
const GAP_MS = 20;

export type Rounds = {
  /** Starts the next round as soon as the pause after the last one allows. */
  readonly wake: () => void;
  readonly stop: () => Promise<void>;
};

/** Repeats a round until it is stopped: after `wake`, and at least every 200 ms. A failed round is logged. */
export function startRounds({ now, log }: Pick<Context, "now" | "log">, round: () => Promise<void>): Rounds {
  let isStopped = false;
  let isWoken = false;
  let endPause: () => void = () => {};

  async function pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    endPause = () => {};
  }

  async function loop(): Promise<void> {
    while (!isStopped) {
      isWoken = false;
      const startedAt = now();
      try {
        await round();
      } catch (error) {
        log.warn({ error }, "webhook deliveries paused: the database is unavailable");
      }
      const gap = Math.min(Math.max((now() - startedAt) / 4, GAP_MS), POLL_MS);
      await new Promise((resolve) => setTimeout(resolve, gap));
      if (!isWoken && !isStopped) await pause(POLL_MS - gap);
    }
  }

  const running = loop();
  return {
    wake: () => {
      isWoken = true;
      endPause();
    },
    stop: async () => {
      isStopped = true;
      endPause();
      await running;
    },
  };
}

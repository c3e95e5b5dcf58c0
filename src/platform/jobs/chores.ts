import type { Context } from "../context.ts";
import type { Chore } from "./job.ts";

const POLL_MS = 200;

/** Runs each chore in a loop of its own: no chore waits for another, and no job waits for any. */
export function startChores(ctx: Context, chores: readonly Chore[]): { readonly stop: () => Promise<void> } {
  const pauses = new Set<() => void>();
  let isStopped = false;

  /** A race against one promise of the stop would keep every pause in memory until then. */
  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        pauses.delete(end);
        resolve();
      };
      const timer = setTimeout(end, POLL_MS);
      pauses.add(end);
    });
  }

  async function loop(chore: Chore): Promise<void> {
    let due = Number.NEGATIVE_INFINITY;
    while (!isStopped) {
      if (ctx.now() >= due) due = await run(chore);
      if (!isStopped && (ctx.now() < due || chore.everyMs === 0)) await pause();
    }
  }

  /** Returns when the chore is due again. */
  async function run(chore: Chore): Promise<number> {
    const begun = ctx.now();
    try {
      if ((await chore.run(ctx)) === "more") return begun;
    } catch (error) {
      ctx.log.warn({ job: chore.name, error }, "recurring work failed and will run again");
      return begun + Math.max(chore.everyMs, POLL_MS);
    }
    return begun + chore.everyMs;
  }

  const running = chores.map(loop);
  return {
    stop: async () => {
      isStopped = true;
      for (const end of pauses) end();
      await Promise.all(running);
    },
  };
}

import type { Context } from "../context.ts";
import type { Chore } from "./job.ts";

const POLL_MS = 200;

/** Runs each chore in a loop of its own: no chore waits for another, and no job waits for any. */
export function startChores(ctx: Context, chores: readonly Chore[]): { readonly stop: () => Promise<void> } {
  const stopped = Promise.withResolvers<void>();
  let isStopped = false;

  async function pause(): Promise<void> {
    const timer = Promise.withResolvers<void>();
    const handle = setTimeout(timer.resolve, POLL_MS);
    await Promise.race([timer.promise, stopped.promise]);
    clearTimeout(handle);
  }

  async function loop(chore: Chore): Promise<void> {
    let due = Number.NEGATIVE_INFINITY;
    while (!isStopped) {
      if (ctx.now() >= due) due = await run(chore);
      if (ctx.now() < due || chore.everyMs === 0) await pause();
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
      stopped.resolve();
      await Promise.all(running);
    },
  };
}

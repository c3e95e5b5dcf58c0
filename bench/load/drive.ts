import { nextMessage, startProgram } from "../stage/program.ts";
import type { Load } from "../statistics.ts";
import type { LoadOrder } from "./generator.ts";

/** Where a load goes; its duration is passed each time. */
export type LoadTarget = Omit<LoadOrder, "seconds">;

export type Generator = { readonly run: (order: LoadOrder) => Promise<Load> };

/** How long requests in flight may take after the time is over. */
const DRAIN_MS = 15_000;

export function startGenerator(stage: AsyncDisposableStack): Generator {
  const program = startProgram(stage, "bench/load/generator.ts", {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  return {
    run: (order) => {
      const withinMs = ((order.leadSeconds ?? 0) + order.seconds) * 1_000 + DRAIN_MS;
      const answer = nextMessage<Load>(program, withinMs);
      program.child.send(order);
      return answer;
    },
  };
}

/** The load of a contender that needs no preparation. */
export function loadOf(target: LoadTarget) {
  return (generator: Generator, seconds: number) => generator.run({ ...target, seconds });
}

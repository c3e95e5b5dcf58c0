import type { Load } from "../figures.ts";
import { nextMessage, startProgram } from "../stage/program.ts";
import type { LoadOrder } from "./generator.ts";

/** Where a load goes; how long it lasts is said each time. */
export type LoadTarget = Omit<LoadOrder, "seconds">;

export type Generator = { readonly run: (order: LoadOrder) => Promise<Load> };

/** What is in flight when the time is over has this long to be answered. */
const DRAIN_MS = 15_000;

export function startGenerator(stage: AsyncDisposableStack): Generator {
  const program = startProgram(stage, "bench/load/generator.ts", {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  return {
    run: (order) => {
      const answer = nextMessage<Load>(program, order.seconds * 1_000 + DRAIN_MS);
      program.child.send(order);
      return answer;
    },
  };
}

/** The load of a contender that needs nothing prepared. */
export function loadOf(target: LoadTarget) {
  return (generator: Generator, seconds: number) => generator.run({ ...target, seconds });
}

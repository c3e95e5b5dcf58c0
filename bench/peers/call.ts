import { nextMessage, startProgram } from "../stage/program.ts";
import type { CallOrder, CallResult } from "./caller.ts";

export type Caller = { readonly run: (order: CallOrder) => Promise<CallResult> };

/** How long works in progress may take after the time is over. */
const DRAIN_MS = 60_000;

export function startCaller(stage: AsyncDisposableStack): Caller {
  const program = startProgram(stage, "bench/peers/caller.ts", {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  return {
    run: (order) => {
      const answer = nextMessage<CallResult>(program, order.seconds * 1_000 + DRAIN_MS);
      program.child.send(order);
      return answer;
    },
  };
}

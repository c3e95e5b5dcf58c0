import { type Pace, paceOf, type SubscriptionQueue } from "./subscription-queue.ts";

const LIMITS: Readonly<Record<Pace, number>> = { quick: 256, slow: 512 };

/** The quick and the slow window: requests in flight, and the queues that wait for room. */
export type Windows = {
  /** Puts the queue at the end of the line for its endpoint's window. */
  readonly lineUp: (queue: SubscriptionQueue) => void;
  /** Returns the queue whose turn it is; undefined if the window is full or no queue waits for it. */
  readonly next: (pace: Pace) => SubscriptionQueue | undefined;
  readonly enter: (pace: Pace) => void;
  readonly leave: (pace: Pace) => void;
  readonly inFlight: () => Readonly<Record<Pace, number>>;
  readonly isEmpty: () => boolean;
};

export function createWindows(): Windows {
  const lines: Readonly<Record<Pace, SubscriptionQueue[]>> = { quick: [], slow: [] };
  const inFlight: Record<Pace, number> = { quick: 0, slow: 0 };
  return {
    lineUp: (queue) => {
      queue.endpoint?.waiting.delete(queue);
      const pace = paceOf(queue.endpoint);
      queue.waitsFor = pace;
      lines[pace].push(queue);
    },
    next: (pace) => (inFlight[pace] < LIMITS[pace] ? lines[pace].shift() : undefined),
    enter: (pace) => {
      inFlight[pace] += 1;
    },
    leave: (pace) => {
      inFlight[pace] -= 1;
    },
    inFlight: () => inFlight,
    isEmpty: () => inFlight.quick + inFlight.slow === 0,
  };
}

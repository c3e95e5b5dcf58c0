/** What goes wrong with one message at the host. */
export const FAULTS = [
  /** Booked, never answered. */
  "silence",
  /** Never booked, never answered. */
  "lost",
  /** Booked, answered after `lateMs`. */
  "late",
  /** Booked and answered only after `lateMs`: a reversal that comes before finds nothing. */
  "hold",
  /** Answered twice. */
  "duplicate",
  /** Booked, then bytes that are no message. */
  "garbage",
  /** Booked, then half of the answer and a closed link. */
  "half",
  /** Booked, answered with another trace number. */
  "wrong stan",
  /** The link closes before the message is booked. */
  "close before",
  /** The link closes after the message is booked. */
  "close after",
  /** An unreadable field in the answer, in a frame that is right. */
  "unreadable",
] as const;
export type Fault = (typeof FAULTS)[number];

/** Which faults a host produces, and for which messages. */
export type FaultPlan = {
  /** These come first, one for each message of the types, in this order. */
  readonly next: readonly (Fault | "none")[];
  /** Then each message has a fault with this probability. */
  readonly probability: number;
  readonly types: readonly string[];
  readonly lateMs: number;
};

export const NO_FAULTS: FaultPlan = { next: [], probability: 0, types: [], lateMs: 0 };

/** Chooses the fault of each message. The same seed chooses the same faults. */
export function createFaultChooser(seed: number) {
  let plan: FaultPlan = NO_FAULTS;
  let next: (Fault | "none")[] = [];
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    set: (chosen: FaultPlan) => {
      plan = chosen;
      next = [...chosen.next];
    },
    choose: (type: string): Fault | "none" => {
      if (!plan.types.includes(type)) return "none";
      const planned = next.shift();
      if (planned !== undefined) return planned;
      if (random() >= plan.probability) return "none";
      return FAULTS[Math.floor(random() * FAULTS.length)] ?? "none";
    },
    lateMs: () => plan.lateMs,
  };
}

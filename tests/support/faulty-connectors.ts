import type { CardAcquirer } from "../../src/connectors/ports/card-acquirer.ts";
import { BANK_DEADLINE } from "../../src/features/transactions/index.ts";
import { SECOND } from "../../src/kernel/time.ts";
import type { Context } from "../../src/platform/context.ts";
import { mapAcquirers } from "./fake-acquirer.ts";
import { pick } from "./random.ts";

/** What goes wrong with a call of a connector. */
const FAULTS = ["slow", "late", "hangs", "fails before", "fails after", "twice", "garbage"] as const;
export type ConnectorFault = (typeof FAULTS)[number];

const CONNECTORS = ["acquirer", "3D Secure", "debit bank", "PayID rail"] as const;
export type FaultyConnector = (typeof CONNECTORS)[number];

type Plan = {
  readonly random: () => number;
  /** Of each call; read at every call. */
  readonly probability: () => number;
  readonly nextFault: (connector: FaultyConnector) => ConnectorFault;
  readonly onFault: (fault: ConnectorFault, connector: FaultyConnector) => void;
  readonly onFaultEnd?: () => void;
};

const SLOWEST_MS = 400;
/** The gateway has stopped waiting, and may have inquired. */
const LATE_MS = BANK_DEADLINE + SECOND;
/** A connector that gets no deadline gives up by itself. */
const HANGS_MS = 3_000;

/** What a broken adapter may return: none of it has the type of any answer. */
const GARBAGE: readonly unknown[] = [
  {},
  undefined,
  null,
  "approved",
  [{}],
  [],
  { kind: 0 },
  { kind: "approved" },
  { kind: "approved", code: 2000 },
  { kind: "declined", code: "A02000" },
  { kind: "settled", code: "approved", returnableUntil: "tomorrow" },
  [{ kind: "settled", code: true, returnableUntil: 0 }],
  [{ kind: "processing" }],
  { kind: "done", data: { status: "yes" } },
  { kind: "challenge" },
  { status: "Y", cavv: 1 },
];

/** Every kind of fault of every connector. */
export const EVERY_FAULT = CONNECTORS.flatMap((connector) =>
  FAULTS.map((fault) => `${connector}: ${fault}` as const),
);

/** A connector has one fault of each kind, in any order, before it has a second one of any. */
export function faultsInTurn(random: () => number): (connector: FaultyConnector) => ConnectorFault {
  const left: Partial<Record<FaultyConnector, readonly ConnectorFault[]>> = {};
  return (connector) => {
    const open = left[connector] ?? FAULTS;
    const fault = pick(random, open);
    const others = open.filter((one) => one !== fault);
    left[connector] = others.length === 0 ? FAULTS : others;
    return fault;
  };
}

/** A context in which every connector answers slowly, too late, not at all, twice or with garbage, by chance. */
export function withFaultyConnectors(ctx: Context, plan: Plan): Context {
  const faulty = <Port extends object>(
    connector: FaultyConnector,
    port: Port,
    names: readonly (keyof Port)[],
  ): Port => {
    const begin = () => {
      const fault = plan.nextFault(connector);
      plan.onFault(fault, connector);
      return fault;
    };
    const changed = { ...port } as Record<PropertyKey, unknown>;
    for (const name of names) {
      const call = port[name];
      if (typeof call === "function") changed[name] = faultyCall(call.bind(port), { ...plan, begin });
    }
    return changed as Port;
  };
  const acquirer = (host: CardAcquirer) =>
    faulty("acquirer", host, ["authorise", "verify", "inquire", "reverse", "void", "capture", "refund"]);
  const connectors: Context["connectors"] = {
    ...ctx.connectors,
    getThreeDSecure: (merchant) =>
      faulty("3D Secure", ctx.connectors.getThreeDSecure(merchant), ["begin", "authenticate", "resultOf"]),
    findDebitBank: (merchant) => {
      const bank = ctx.connectors.findDebitBank(merchant);
      return bank && faulty("debit bank", bank, ["submit", "read", "credit"]);
    },
    findPayIdRail: (merchant) => {
      const rail = ctx.connectors.findPayIdRail(merchant);
      return rail && faulty("PayID rail", rail, ["register", "release", "returnTransfer", "refund"]);
    },
  };
  return { ...mapAcquirers(ctx, acquirer), connectors };
}

function faultyCall(
  call: (...input: unknown[]) => Promise<unknown>,
  {
    random,
    probability,
    begin,
    onFaultEnd = () => {},
  }: Pick<Plan, "random" | "probability" | "onFaultEnd"> & { readonly begin: () => ConnectorFault },
): (...input: unknown[]) => Promise<unknown> {
  return async (...input) => {
    if (random() >= probability()) return call(...input);
    const fault = begin();
    const signal = input.find((one) => one instanceof AbortSignal);
    return answerWith(fault, () => call(...input), random, signal).finally(onFaultEnd);
  };
}
async function answerWith(
  fault: ConnectorFault,
  call: () => Promise<unknown>,
  random: () => number,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  switch (fault) {
    case "slow":
      await pause(random() * SLOWEST_MS);
      return call();
    case "late": {
      const answer = await call();
      await pause(LATE_MS);
      return answer;
    }
    case "hangs":
      // Half of them after the bank has done its work.
      if (random() < 0.5) await call();
      await untilAborted(signal);
      throw new Error("the connection timed out");
    case "fails before":
      throw new Error("the connection was refused");
    case "fails after":
      await call();
      throw new Error("the connection broke");
    case "twice": {
      const [, second] = await Promise.all([call(), call()]);
      return second;
    }
    case "garbage":
      // Half of them after the bank has done its work.
      if (random() < 0.5) await call();
      return pick(random, GARBAGE);
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function untilAborted(signal: AbortSignal | undefined): Promise<unknown> {
  if (signal === undefined) return pause(HANGS_MS);
  if (signal.aborted) return Promise.resolve();
  return Promise.race([new Promise((resolve) => signal.addEventListener("abort", resolve)), pause(60_000)]);
}

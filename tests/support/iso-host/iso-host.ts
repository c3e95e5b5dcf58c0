import { fork } from "node:child_process";
import { once } from "node:events";
import type { IsoMessage } from "../../../src/connectors/iso8583/dialect.ts";
import type { Framing } from "../../../src/connectors/iso8583/framing.ts";
import { type Fault, type FaultPlan, NO_FAULTS } from "./faults.ts";
import type { HostEntry, HostRules } from "./host-ledger.ts";

export type HostOptions = HostRules & {
  readonly framing: Framing;
  readonly dialect: string;
  readonly seed: number;
  readonly port?: number;
  readonly tls?: { readonly keyFile: string; readonly certFile: string; readonly caFile: string };
};

export type Command = { readonly id: number } & CommandBody;

/** A message that the host received, and the fault that it chose for it. */
export type Seen = IsoMessage & { readonly fault: Fault | "none"; readonly at: number };

export type IsoHost = {
  readonly port: number;
  readonly setFaults: (plan: Partial<FaultPlan>) => Promise<void>;
  readonly dropLinks: () => Promise<void>;
  /** Sends a message of its own over every link. The answers are among what it received. */
  readonly send: (message: IsoMessage) => Promise<void>;
  readonly entries: () => Promise<readonly HostEntry[]>;
  /** Everything that the host received, oldest first. */
  readonly seen: () => Promise<readonly Seen[]>;
  readonly stop: () => Promise<void>;
};

type Reply = { readonly id: number; readonly entries?: HostEntry[]; readonly seen?: Seen[] };
type CommandBody =
  | { readonly do: "faults"; readonly plan: FaultPlan }
  | { readonly do: "drop links" }
  | { readonly do: "send"; readonly message: IsoMessage }
  | { readonly do: "read" };

/** Starts a host simulator as a process of its own, with its own ledger. */
export async function startIsoHost(given: Partial<HostOptions> = {}): Promise<IsoHost> {
  const options: HostOptions = {
    framing: "binary2",
    dialect: "iso87-ascii",
    seed: 1,
    unseen: "25",
    signOn: "00",
    ...given,
  };
  const child = fork(new URL("./main.ts", import.meta.url), [JSON.stringify(options)], { execArgv: [] });
  const gone = once(child, "exit");
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  let last = 0;

  async function ask(command: CommandBody): Promise<Reply> {
    last += 1;
    const id = last;
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const listen = (reply: Reply) => {
      if (reply.id !== id) return;
      child.off("message", listen);
      resolve(reply);
    };
    child.on("message", listen);
    child.send({ id, ...command });
    return promise;
  }

  return {
    port,
    setFaults: async (plan) => {
      await ask({ do: "faults", plan: { ...NO_FAULTS, ...plan } });
    },
    dropLinks: async () => {
      await ask({ do: "drop links" });
    },
    send: async (message) => {
      await ask({ do: "send", message });
    },
    entries: async () => (await ask({ do: "read" })).entries ?? [],
    seen: async () => (await ask({ do: "read" })).seen ?? [],
    stop: async () => {
      child.kill("SIGKILL");
      await gone;
    },
  };
}

import { Counter, Gauge, type Registry } from "prom-client";
import type { ReplicaHealth } from "../db/reads.ts";

/** The state of the replica from which lists, dashboard pages and exports are read. */
export function watchReplica(registry: Registry, read: () => ReplicaHealth | undefined): void {
  new Gauge({
    name: "tidegate_replica_state",
    help: "1 for the state of the replica at its last use: current, behind (further than it may be) or away.",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      const now = read()?.state;
      for (const state of ["current", "behind", "away"]) this.set({ state }, state === now ? 1 : 0);
    },
  });
  new Gauge({
    name: "tidegate_replica_wait_seconds",
    help: "How long the last read waited for the replica to have what was written before it.",
    registers: [registry],
    collect() {
      this.set((read()?.waitedMs ?? 0) / 1_000);
    },
  });
  new Counter({
    name: "tidegate_replica_statements_total",
    help: "Statements that may be read from the replica, by the server that answered.",
    labelNames: ["server"],
    registers: [registry],
    collect() {
      const { replica = 0, primary = 0 } = read()?.answered ?? {};
      this.reset();
      this.inc({ server: "replica" }, replica);
      this.inc({ server: "primary" }, primary);
    },
  });
}

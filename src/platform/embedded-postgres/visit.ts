import { endPostmaster } from "./end-postmaster.ts";
import { enterServer } from "./enter-server.ts";
import { holdAsVisitor, leaveAsLast } from "./locks.ts";
import type { Server } from "./reach-server.ts";
import { serverUrl } from "./session.ts";

/** For a command beside the gateway, or without one: then it brings the server up, and down again after the last one. */
export async function visitServer({ cluster, binaries }: Server, notice: (line: string) => void) {
  const { session, postmaster } = await enterServer({ cluster, binaries }, holdAsVisitor);
  const leave = async () => {
    try {
      // Without the session (the gateway stopped and took the server with it) there is nothing to leave.
      if (!session.isOpen() || !(await leaveAsLast(session))) return;
      if (!(await endPostmaster(postmaster.pid, cluster.data))) {
        notice(`the embedded PostgreSQL (pid ${postmaster.pid}) does not stop: see ${cluster.log}`);
      }
    } catch (error) {
      if (session.isOpen()) throw error;
    } finally {
      await session.close();
    }
  };
  let left: Promise<void> | undefined;
  return {
    url: serverUrl(cluster, postmaster.port),
    stop: () => {
      left ??= leave();
      return left;
    },
  };
}

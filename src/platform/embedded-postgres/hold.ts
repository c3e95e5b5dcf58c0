import { endPostmaster } from "./end-postmaster.ts";
import { type Entered, enterServer } from "./enter-server.ts";
import { findPostmaster } from "./find-postmaster.ts";
import { findGatewayPid, holdAsGatewayWithin } from "./locks.ts";
import type { Server } from "./reach-server.ts";
import { type Session, serverUrl } from "./session.ts";
import { superviseServer } from "./supervise.ts";
import { FolderInUse } from "./trouble.ts";

const takeoverPatienceMs = 3_000;

/** For the gateway: it has the folder for itself, keeps the server alive, and takes it down when it stops. */
export async function holdServer(server: Server, notice: (line: string) => void) {
  const { cluster } = server;
  const enter = (options: Parameters<typeof enterServer>[2]): Promise<Entered> =>
    enterServer(server, (session) => takeHold(session, cluster.dataDir), options);

  const watch = superviseServer(server, enter, notice);
  const first = await enter({ onLost: watch.wake });
  if (!first.startedHere) {
    const { pid, port } = first.postmaster;
    notice(`took over the embedded PostgreSQL that was running already (pid ${pid}, port ${port})`);
  }
  watch.begin(first);

  const leave = async () => {
    const session = await watch.end();
    // Whoever took the folder while we had lost it needs the server.
    if (session === undefined) return;
    // The lock stays ours until the server is down: nobody can take over a server that is about to go.
    const running = await findPostmaster(cluster.data);
    if (running !== undefined && !(await endPostmaster(running.pid, cluster.data))) {
      notice(`the embedded PostgreSQL (pid ${running.pid}) does not stop: see ${cluster.log}`);
    }
    await session.close();
  };
  let left: Promise<void> | undefined;
  return {
    url: serverUrl(cluster, first.postmaster.port),
    stop: () => {
      left ??= leave();
      return left;
    },
  };
}

async function takeHold(session: Session, dataDir: string): Promise<void> {
  if (await holdAsGatewayWithin(session, takeoverPatienceMs)) return;
  const pid = await findGatewayPid(session);
  const who = pid === undefined ? "" : ` (pid ${pid})`;
  throw new FolderInUse(
    `a Tidegate is already running on ${dataDir}${who}: stop it first, or set TIDEGATE_DATA_DIR to another folder`,
  );
}

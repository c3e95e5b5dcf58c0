import { findPostmaster } from "./find-postmaster.ts";
import { type ReadyPostmaster, reachServer, recoveryPatienceMs, type Server } from "./reach-server.ts";
import { openSession, type Session } from "./session.ts";
import { EmbeddedPostgresTrouble, messageOf, useYourOwn } from "./trouble.ts";

export type Entered = {
  readonly session: Session;
  readonly postmaster: ReadyPostmaster;
  readonly startedHere: boolean;
};

/**
 * Reaches the server, connects, and takes a lock with `take`. Servers come and go meanwhile (a holder stops, a command
 * beside us leaves as the last one): whatever is cut off by that is begun again.
 */
export async function enterServer(
  server: Server,
  take: (session: Session) => Promise<void>,
  options: { readonly port?: number; readonly signal?: AbortSignal; readonly onLost?: () => void } = {},
): Promise<Entered> {
  for (const deadline = Date.now() + recoveryPatienceMs; Date.now() < deadline; ) {
    const { postmaster, startedHere } = await reachServer(server, options);
    const session = await openSession(server.cluster, postmaster, options.onLost);
    if (session === undefined) continue;
    try {
      await take(session);
      // A lock gained from a holder that is shutting the server down is worth nothing a moment later.
      const now = await findPostmaster(server.cluster.data);
      if (now?.pid === postmaster.pid && now.status === "ready") return { session, postmaster, startedHere };
      await session.close();
    } catch (error) {
      const cutOff =
        !session.isOpen() || /terminat|not queryable|shutting down|starting up/i.test(messageOf(error));
      await session.close();
      if (!cutOff) throw error;
    }
  }
  throw new EmbeddedPostgresTrouble(
    `the embedded PostgreSQL keeps going away while Tidegate connects: see ${server.cluster.log}, or ${useYourOwn}`,
  );
}

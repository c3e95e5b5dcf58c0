import type { RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests that may wait behind another one on the same connection. Clients of our day send one at a time. */
const QUEUED_AT_MOST = 16;

export type Connections = {
  /** The handler, for the server to call. */
  readonly listener: RequestListener;
  /**
   * To be called when the server is about to close: the answers in flight are finished and end their connections; then
   * all others are ended, including those without a request so far.
   */
  readonly letGo: (server: Server) => void;
};

/** Tracks requests in flight, and closes a connection whose client keeps sending without waiting for answers. */
export function watchConnections(handler: RequestListener): Connections {
  const inFlight = new Set<ServerResponse>();
  const queues = new WeakMap<Socket, Set<ServerResponse>>();
  let closing: Server | undefined;

  const endTheRest = () => {
    if (inFlight.size === 0) closing?.closeAllConnections();
  };
  const isOver = (response: ServerResponse) => {
    inFlight.delete(response);
    endTheRest();
  };

  function queueOf(socket: Socket): Set<ServerResponse> {
    const known = queues.get(socket);
    if (known !== undefined) return known;
    const queue = new Set<ServerResponse>();
    queues.set(socket, queue);
    // When a connection breaks, node notifies the answer whose turn it is, but not those behind it.
    socket.once("close", () => queue.forEach(isOver));
    return queue;
  }

  return {
    listener: (request, response) => {
      const { socket } = request;
      if (socket.destroyed) return;
      // An answer without a connection waits for the one before it.
      const queue = response.socket === null ? queueOf(socket).add(response) : undefined;
      if (queue !== undefined && queue.size > QUEUED_AT_MOST) {
        socket.destroy();
        return;
      }
      inFlight.add(response);
      response.once("close", () => {
        queue?.delete(response);
        isOver(response);
      });
      handler(request, response);
    },
    letGo: (server) => {
      closing = server;
      for (const response of inFlight) response.shouldKeepAlive = false;
      // By then the server no longer listens, so no new connection can arrive.
      setImmediate(endTheRest);
    },
  };
}

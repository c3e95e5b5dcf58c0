import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { decodeMessage, encodeMessage } from "./codec.ts";
import type { Dialect, IsoMessage } from "./dialect.ts";
import { codeOf } from "./error-code.ts";
import { createFrameReader, frame } from "./framing.ts";
import type { Iso8583Settings } from "./settings.ts";
import { readTls } from "./tls-files.ts";

export type Endpoint = Pick<Iso8583Settings, "host" | "port" | "tls" | "framing">;

export type ConnectionEvents = {
  readonly onMessage: (message: IsoMessage) => void;
  /** Bytes arrived that are no message of the dialect. The reason holds none of them. */
  readonly onUnreadable: (reason: string) => void;
  /** Once, by either side. */
  readonly onClose: (reason: string) => void;
};

/** One connection to the host, from its opening to its end. */
export type Connection = {
  /** False when the connection is known to be closed, so that surely no byte has left. */
  readonly write: (message: IsoMessage) => boolean;
  readonly close: (reason: string) => void;
};

/** Opens a connection; throws when that fails or takes longer than `withinMs`. */
export async function openConnection(
  endpoint: Endpoint,
  dialect: Dialect,
  withinMs: number,
  events: ConnectionEvents,
): Promise<Connection> {
  const socket = await openSocket(endpoint, withinMs);
  const readFrames = createFrameReader(endpoint.framing);
  let closing = "the host closed the link";
  const close = (reason: string) => {
    closing = reason;
    socket.destroy();
  };

  function read(chunk: Buffer): void {
    let messages: readonly Buffer[];
    try {
      messages = readFrames(chunk);
    } catch (error) {
      // Where the next frame begins is not known any more.
      const reason = messageOf(error);
      events.onUnreadable(reason);
      close(reason);
      return;
    }
    for (const bytes of messages) {
      let message: IsoMessage;
      try {
        message = decodeMessage(dialect, bytes);
      } catch (error) {
        events.onUnreadable(messageOf(error));
        continue;
      }
      events.onMessage(message);
    }
  }

  socket.on("data", read);
  socket.on("error", (error) => {
    closing = `the link failed: ${codeOf(error)}`;
  });
  // A host that closes its half reads nothing any more either.
  socket.on("end", () => socket.destroy());
  socket.once("close", () => events.onClose(closing));
  if (socket.destroyed) queueMicrotask(() => events.onClose(closing));
  return {
    write: (message) => {
      const bytes = frame(endpoint.framing, encodeMessage(dialect, message));
      if (socket.destroyed || !socket.writable) return false;
      socket.write(bytes);
      return true;
    },
    close,
  };
}

async function openSocket({ host, port, tls }: Endpoint, withinMs: number): Promise<Socket> {
  const options = tls === null ? undefined : await readTls(tls);
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const servername = isIP(host) === 0 ? { servername: host } : {};
  const socket =
    options === undefined
      ? connectTcp({ host, port })
      : connectTls({ host, port, ...servername, ...options, minVersion: "TLSv1.2" });
  const timer = setTimeout(() => reject(new Error(`no connection within ${withinMs} ms`)), withinMs);
  socket.once(options === undefined ? "connect" : "secureConnect", () => resolve(socket));
  const fail = (error: Error) => reject(new Error(`cannot connect: ${codeOf(error)}`));
  socket.once("error", fail);
  socket.once("close", () => reject(new Error("the host closed the link while it was opened")));
  try {
    await promise;
  } catch (error) {
    socket.on("error", () => {});
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
    socket.off("error", fail);
  }
  socket.setNoDelay(true);
  socket.setKeepAlive(true, 30_000);
  return socket;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "unreadable bytes";
}

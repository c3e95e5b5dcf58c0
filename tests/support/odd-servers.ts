import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createNetServer, type Socket } from "node:net";
import { after } from "node:test";

type Listening = {
  listen: (port: number, host: string, then: () => void) => unknown;
  address: () => unknown;
  close: () => unknown;
  closeAllConnections?: () => void;
};

/** Listens on a free loopback port until the test file ends. */
export async function listenOn(server: Listening): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  after(() => {
    server.closeAllConnections?.();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

export function httpServer(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<number> {
  return listenOn(createServer(handler));
}

/** A raw TCP server. `speak` runs at the first bytes of each connection. */
export function rawServer(speak: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  after(() => {
    for (const socket of sockets) socket.destroy();
  });
  return listenOn(
    createNetServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => sockets.delete(socket));
      socket.once("data", () => speak(socket));
    }),
  );
}

/** Sends a beginning, then a piece every 20 ms until the connection closes. */
export function drip(socket: Socket, piece: string, beginning = ""): void {
  socket.write(beginning);
  const timer = setInterval(() => socket.write(piece), 20);
  socket.on("close", () => clearInterval(timer));
}

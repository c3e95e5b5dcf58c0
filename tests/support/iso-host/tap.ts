import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { Captured } from "./capture-file.ts";

export type Tap = {
  readonly port: number;
  /** Everything that went over the wire, in both directions. */
  readonly captured: readonly Captured[];
  readonly stop: () => void;
};

/** Passes the bytes of connections on to a port, and keeps a copy of them. */
export async function tapPort(port: number): Promise<Tap> {
  const captured: Captured[] = [];
  const sockets: Socket[] = [];
  const pass = (from: Captured["from"], source: Socket, target: Socket) => {
    sockets.push(source);
    source.on("data", (bytes) => {
      captured.push({ bytes, from });
      target.write(bytes);
    });
    source.on("error", () => {});
    source.on("close", () => target.destroy());
  };
  const server = createServer((gateway) => {
    const host = connect(port, "127.0.0.1");
    pass("gateway", gateway, host);
    pass("host", host, gateway);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    captured,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

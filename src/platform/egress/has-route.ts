import { createSocket } from "node:dgram";

/** Whether this machine has a route to public addresses of a family. */
export type HasRoute = (family: number) => Promise<boolean>;

/** Sends nothing: a datagram socket that is connected looks up its route, and that is all. */
export const hasRoute: HasRoute = (family) =>
  new Promise((resolve) => {
    const socket = createSocket(family === 6 ? "udp6" : "udp4");
    const end = (error?: Error) => {
      socket.close();
      resolve(error === undefined);
    };
    // Addresses of documentation, which take the route of any public one.
    socket.once("error", end).connect(443, family === 6 ? "2001:db8::1" : "192.0.2.1", end);
  });

import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Ports below those that systems give to outgoing connections: a port from among those may be taken
 * again between the look and the moment that somebody listens on it. Above 10080, which browsers refuse.
 */
const [FIRST, LAST] = [11_000, 32_767];

const given = new Set<number>();

/** A port that nobody listens on, and that this process gives to nobody else. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST + 1);
    if (given.has(port)) continue;
    given.add(port);
    if (await canListen(port)) return port;
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE" || error.code === "EACCES") resolve(false);
      else reject(error);
    });
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}

import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Ports below the ephemeral range: an outgoing connection could take one of those between the probe and the listen.
 * Above 10080, which browsers refuse.
 */
const [FIRST, LAST] = [11_000, 32_767];

const handedOut = new Set<number>();

/** A free port that this process hands out only once. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST + 1);
    if (handedOut.has(port)) continue;
    handedOut.add(port);
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

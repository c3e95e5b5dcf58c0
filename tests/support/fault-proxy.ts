import { createServer, request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * What happens to one request on its way to the gateway. `cut before`: it never arrives. `cut after`: the gateway answers,
 * and the answer is lost. `cut meanwhile`: the connection breaks while the request is on its way; a retry may overtake it.
 * `cutWhen`: it breaks at that moment. `half`: half of the answer arrives. `hang`: the gateway answers, and the proxy never
 * passes the answer on.
 */
export type Fault =
  | "pass"
  | "cut before"
  | "cut after"
  | "cut meanwhile"
  | "half"
  | "hang"
  | { readonly cutWhen: Promise<unknown> }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

export type SeenCall = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly fault: Fault;
};

export type FaultProxy = {
  readonly url: string;
  readonly seen: SeenCall[];
  /** Faults of the next requests, in order; after them everything passes. */
  readonly plan: (...faults: readonly Fault[]) => void;
  readonly close: () => Promise<void>;
};

/** A proxy between a client and a gateway that injects the planned faults. */
export async function startFaultProxy(gatewayUrl: string): Promise<FaultProxy> {
  const target = new URL(gatewayUrl.replace("localhost", "127.0.0.1"));
  const seen: SeenCall[] = [];
  let faults: Fault[] = [];
  const server = createServer((incoming, response) => {
    void handle(incoming, response).catch(() => response.destroy());
  });

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = faults.shift() ?? "pass";
    const { method = "", url: path = "", headers } = incoming;
    seen.push({ method, path, headers, fault });
    const body = Buffer.concat((await incoming.toArray()) as Buffer[]);
    if (fault === "cut before") {
      response.destroy();
      return;
    }
    if (typeof fault === "object" && "status" in fault) {
      response.writeHead(fault.status, fault.headers).end(fault.body);
      return;
    }
    const answering = forwardTo(target, { method, path, headers }, body);
    if (fault === "cut meanwhile" || typeof fault === "object") {
      if (typeof fault === "object") await fault.cutWhen;
      response.destroy();
      await answering;
      return;
    }
    const answer = await answering;
    if (fault === "hang") return;
    if (fault === "cut after") {
      response.destroy();
      return;
    }
    response.writeHead(answer.status, answer.headers);
    if (fault === "pass") response.end(answer.body);
    else response.write(answer.body.subarray(0, answer.body.length / 2), () => response.destroy());
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    plan: (...next) => {
      seen.length = 0;
      faults = [...next];
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Answer = {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
};

function forwardTo(
  target: URL,
  head: Pick<SeenCall, "method" | "path" | "headers">,
  body: Buffer,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = target;
    const outgoing = forward({ hostname, port, ...head, headers: { ...head.headers, host: target.host } });
    outgoing.on("error", reject);
    outgoing.on("response", (response) => {
      response.toArray().then(
        (chunks) =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks as Buffer[]),
          }),
        reject,
      );
    });
    outgoing.end(body);
  });
}

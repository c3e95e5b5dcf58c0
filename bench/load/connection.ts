import { connect, type Socket } from "node:net";

export type Connection = {
  /** Sends a request and waits for the complete answer; returns its status, or 0 if the connection broke. */
  readonly exchange: (request: Buffer) => Promise<number>;
  readonly close: () => void;
};

/** Separates an answer's head from its body. */
const BLANK_LINE = "\r\n\r\n";

/** One keep-alive connection that sends one request at a time. */
export async function openConnection(port: number): Promise<Connection> {
  const socket = await connected(port);
  let received = "";
  let resolve: (status: number) => void = () => {};
  let broken = false;

  const onBroken = () => {
    broken = true;
    resolve(0);
  };
  socket.on("error", onBroken).on("close", onBroken);
  // In latin1 one character is one byte, so lengths are right without decoding.
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    received = received === "" ? chunk : received + chunk;
    const end = endOfAnswer(received);
    if (end === undefined || received.length < end) return;
    const status = Number(received.slice(9, 12));
    received = received.slice(end);
    resolve(status);
  });

  return {
    exchange: (request) => {
      if (broken) return Promise.resolve(0);
      return new Promise((settle) => {
        resolve = settle;
        socket.write(request);
      });
    },
    close: () => socket.destroy(),
  };
}

function endOfAnswer(text: string): number | undefined {
  const head = text.indexOf(BLANK_LINE);
  if (head === -1) return undefined;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
  if (length === undefined) throw new Error("an answer without Content-Length");
  return head + BLANK_LINE.length + Number(length);
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, noDelay: true });
    socket.once("connect", () => resolve(socket)).once("error", reject);
  });
}

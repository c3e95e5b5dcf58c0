import { once } from "node:events";
import { connect, type Socket } from "node:net";

export type RawAnswer = {
  readonly status: number;
  /** By lower-case name. The values of a repeated header are joined. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
};

/** Opens a connection without sending. It stays half open when the server ends it, as a hostile client's does. */
export async function openSocket(baseUrl: string): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port: Number(new URL(baseUrl).port), allowHalfOpen: true });
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

/** Reads until the server ends the connection. */
export async function readToEnd(socket: Socket, withinMs = 60_000): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`still open after ${withinMs} ms`)), withinMs);
    const finish = () => {
      clearTimeout(timer);
      resolve();
    };
    socket.once("end", finish);
    socket.once("close", finish);
  });
  try {
    await ended;
  } finally {
    socket.destroy();
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Sends raw bytes and reads all answers until the server ends the connection. */
export async function exchange(baseUrl: string, bytes: string | Uint8Array): Promise<readonly RawAnswer[]> {
  const socket = await openSocket(baseUrl);
  const text = readToEnd(socket);
  socket.write(bytes);
  return readAnswers(await text);
}

/** Splits a stream of answers by Content-Length. */
export function readAnswers(text: string): readonly RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    const cut = rest.indexOf("\r\n\r\n");
    if (cut < 0) throw new Error(`not an answer: ${rest.toString()}`);
    const [first = "", ...lines] = rest.subarray(0, cut).toString().split("\r\n");
    const headers = new Map<string, string>();
    for (const line of lines) {
      const [name = "", value = ""] = line.split(/:\s*(.*)/s);
      const before = headers.get(name.toLowerCase());
      headers.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`);
    }
    const status = Number(first.split(" ")[1]);
    const length = status === 100 ? 0 : Number(headers.get("content-length") ?? 0);
    const body = rest.subarray(cut + 4, cut + 4 + length).toString();
    answers.push({ status, headers, body });
    rest = rest.subarray(cut + 4 + length);
  }
  return answers;
}

import type pg from "pg";

/** Bytes of rows that are sent at once. */
const CHUNK = 1 << 18;

type CopyConnection = pg.Connection & {
  readonly sendCopyFromChunk: (chunk: Buffer) => void;
  readonly endCopyFrom: () => void;
  readonly sendCopyFail: (reason: string) => void;
};

/** Sends lines in PostgreSQL's text format (tabs between values, `\N` for null) with `copy … from stdin`. */
export function copyLines(client: pg.Client, into: string, lines: Iterable<string>): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: Error | undefined;
    const source = lines[Symbol.iterator]();
    const send = (connection: CopyConnection) => {
      try {
        for (;;) {
          const chunk = nextChunk(source);
          if (chunk === undefined) return connection.endCopyFrom();
          connection.sendCopyFromChunk(Buffer.from(chunk));
          if (connection.stream.writableNeedDrain) {
            connection.stream.once("drain", () => send(connection));
            return;
          }
        }
      } catch (error) {
        connection.sendCopyFail(String(error));
      }
    };
    // What the client calls on a query of its own kind.
    const copying = {
      submit: (connection: pg.Connection) => connection.query(`copy ${into} from stdin (freeze)`),
      handleCopyInResponse: send,
      handleCommandComplete: () => {},
      handleError: (error: Error) => {
        failure = error;
        reject(error);
      },
      handleReadyForQuery: () => {
        if (failure === undefined) resolve();
      },
    };
    client.query(copying);
  });
}

function nextChunk(source: Iterator<string>): string | undefined {
  let chunk = "";
  while (chunk.length < CHUNK) {
    const { done, value } = source.next();
    if (done === true) return chunk === "" ? undefined : chunk;
    chunk += `${value}\n`;
  }
  return chunk;
}

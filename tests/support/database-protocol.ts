/** Calls back with each message of PostgreSQL's protocol: a type of one byte, a length, a body. */
function splitMessages(each: (type: string, body: Buffer) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= 5) {
      const end = 1 + rest.readInt32BE(1);
      if (rest.length < end) return;
      each(String.fromCharCode(rest[0] ?? 0), rest.subarray(5, end));
      rest = rest.subarray(end);
    }
  };
}

/** The text from a place to the next zero byte, and the place after it. */
function textIn(body: Buffer, from = 0): readonly [text: string, next: number] {
  const end = body.indexOf(0, from);
  return [body.subarray(from, end).toString("utf8"), end + 1];
}

/** A change, also as a part of a longer statement; a lock by `for update` is none. */
const WRITES = /\b(?:insert into|delete from|merge into)\b|(?<!\bfor |\bkey |\bdo )\bupdate\b/i;
/** The server says so after a statement that changed no row. */
const NO_ROW = / 0$/;

/** One conversation between a client and the server. */
export type Conversation = {
  readonly onClient: (bytes: Buffer) => void;
  /** Returns how many transactions that changed rows end with these bytes of the server. */
  readonly onServer: (bytes: Buffer) => number;
  /** How many statements the client has prepared by name and not closed. */
  readonly prepared: () => number;
};

/**
 * Follows both directions. The server's answer to a statement names its last part only, and that of a change can be
 * `SELECT`, like that of a read; so what the client sent decides whether it writes.
 */
export function followConversation(): Conversation {
  const prepared = new Map<string, string>();
  const bound = new Map<string, string>();
  /** Statements without an answer; one text can have several parts, with an answer each. */
  const waiting: string[] = [];
  let hasWritten = false;
  let isStarted = false;
  let commits = 0;

  const readClient = splitMessages((type, body) => {
    const [name, next] = textIn(body);
    if (type === "P") prepared.set(name, textIn(body, next)[0]);
    if (type === "B") bound.set(name, prepared.get(textIn(body, next)[0]) ?? "");
    if (type === "E") waiting.push(bound.get(name) ?? "");
    if (type === "Q") waiting.push(name);
    if (type === "C" && name.startsWith("S")) prepared.delete(name.slice(1));
  });

  const readServer = splitMessages((type, body) => {
    if (type === "C") {
      const [tag] = textIn(body);
      const text = (waiting.length > 1 ? waiting.shift() : waiting[0]) ?? "";
      if (tag === "ROLLBACK") hasWritten = false;
      else hasWritten ||= WRITES.test(text.replaceAll(/\s+/g, " ")) && !NO_ROW.test(tag);
    }
    if (type === "E") hasWritten = false;
    if (type !== "Z") return;
    // The gateway's driver sends the next statement after this message. An error ends those that were sent with it.
    waiting.length = 0;
    if (body.toString("latin1") !== "I") return;
    // The server has committed before it says that it is ready and in no transaction.
    if (hasWritten) commits += 1;
    hasWritten = false;
  });

  return {
    onClient: (bytes) => {
      // The first message has no type.
      if (isStarted) return readClient(bytes);
      isStarted = true;
      return readClient(bytes.subarray(bytes.readInt32BE(0)));
    },
    onServer: (bytes) => {
      const before = commits;
      readServer(bytes);
      return commits - before;
    },
    prepared: () => [...prepared.keys()].filter((name) => name !== "").length,
  };
}

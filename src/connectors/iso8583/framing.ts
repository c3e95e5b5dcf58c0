import { MessageError } from "./dialect.ts";

export const FRAMINGS = ["binary2", "ascii4"] as const;
/** How a frame begins with its length: two bytes, big-endian, or four ASCII digits. The length counts what follows it. */
export type Framing = (typeof FRAMINGS)[number];

const LENGTH_BYTES: Readonly<Record<Framing, number>> = { binary2: 2, ascii4: 4 };
/** No message of ours or of a host comes near: a longer frame is garbage, or another framing. */
const LONGEST_FRAME = 8_192;

export function frame(framing: Framing, message: Buffer): Buffer {
  const { length } = message;
  if (length > LONGEST_FRAME) {
    throw new MessageError(`a message of ${length} bytes is longer than ${LONGEST_FRAME}`);
  }
  const head = Buffer.alloc(LENGTH_BYTES[framing]);
  if (framing === "binary2") head.writeUInt16BE(length);
  else head.write(String(length).padStart(4, "0"), "latin1");
  return Buffer.concat([head, message]);
}

/**
 * Cuts a stream into messages. It holds at most one frame. A length that cannot be one is a MessageError: from there on the
 * stream has no meaning, so the link must be closed. A frame of length zero is a keep-alive of some hosts and is skipped.
 */
export function createFrameReader(framing: Framing): (chunk: Buffer) => readonly Buffer[] {
  const headBytes = LENGTH_BYTES[framing];
  let held: Buffer = Buffer.alloc(0);
  return (chunk) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const messages: Buffer[] = [];
    while (held.length >= headBytes) {
      const length = frameLength(framing, held.subarray(0, headBytes));
      if (held.length < headBytes + length) break;
      if (length > 0) messages.push(Buffer.from(held.subarray(headBytes, headBytes + length)));
      held = held.subarray(headBytes + length);
    }
    // A copy, so that what is left of a frame does not keep the whole chunk alive.
    held = Buffer.from(held);
    return messages;
  };
}

function frameLength(framing: Framing, head: Buffer): number {
  const text = framing === "ascii4" ? head.toString("latin1") : String(head.readUInt16BE());
  if (!/^[0-9]+$/.test(text)) throw new MessageError("the length of a frame is not four digits");
  const length = Number(text);
  if (length > LONGEST_FRAME) {
    throw new MessageError(
      `a frame begins with a length of ${length} bytes; at most ${LONGEST_FRAME} are accepted`,
    );
  }
  return length;
}

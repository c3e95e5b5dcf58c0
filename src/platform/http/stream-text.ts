import { Readable } from "node:stream";

/** A long text that is made while it is sent. A slow reader slows its making, so that little of it is in memory. */
export function streamText(portions: AsyncIterable<string>): Readable {
  return Readable.from(portions, { objectMode: false });
}

export function isStreamed(answer: unknown): answer is AsyncIterable<string> {
  return typeof answer === "object" && answer !== null && Symbol.asyncIterator in answer;
}

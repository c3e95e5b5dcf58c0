import assert from "node:assert/strict";
import { createSocket, type Socket } from "node:dgram";
import { after, describe, test } from "node:test";
import { createResolver } from "./resolve-name.ts";

/** A name server that answers every question about an IPv4 address with one, and has none of IPv6. */
function startNameServer(address: readonly number[]): Promise<string> {
  const server: Socket = createSocket("udp4");
  server.on("message", (question, from) => {
    const wantsV4 = question.readUInt16BE(question.indexOf(0, 12) + 1) === 1;
    const answer = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 9, 0, 4, ...address]);
    const head = Buffer.from(question.subarray(0, question.indexOf(0, 12) + 5));
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(wantsV4 ? 1 : 0, 6);
    head.writeUInt32BE(0, 8);
    server.send(wantsV4 ? Buffer.concat([head, answer]) : head, from.port, from.address);
  });
  after(() => server.close());
  return new Promise((resolve) =>
    server.bind(0, "127.0.0.1", () => resolve(`127.0.0.1:${server.address().port}`)),
  );
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "resolved",
    (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
  );

describe("the look-up of names", () => {
  test("localhost is this machine, whatever the name servers answer", async () => {
    const resolve = createResolver(["127.0.0.1:9"]);
    assert.deepEqual(await resolve("localhost", 4), [{ address: "127.0.0.1", family: 4 }]);
    assert.equal((await resolve("shop.localhost", 0)).length, 2);
  });

  test("a name has the addresses that its server returns", async () => {
    const resolve = createResolver([await startNameServer([8, 8, 4, 4])]);
    assert.deepEqual(await resolve("shop.example", 0), [{ address: "8.8.4.4", family: 4 }]);
    assert.deepEqual(await resolve("shop.example", 6), []);
  });

  test("a name server that does not answer is an error of our own", async () => {
    const closed = createSocket("udp4");
    const port: number = await new Promise((resolve) =>
      closed.bind(0, "127.0.0.1", () => resolve(closed.address().port)),
    );
    await new Promise<void>((resolve) => closed.close(resolve));
    assert.equal(await codeOf(createResolver([`127.0.0.1:${port}`])("shop.example", 0)), "EAI_AGAIN");
  });
});

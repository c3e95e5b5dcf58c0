import assert from "node:assert/strict";
import { createSocket, type Socket } from "node:dgram";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { post } from "../../../tests/support/exchanges.ts";
import { createEgress } from "./egress.ts";
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
    const resolve = createResolver({ servers: ["127.0.0.1:9"] });
    assert.deepEqual(await resolve("localhost", 4), [{ address: "127.0.0.1", family: 4 }]);
    assert.equal((await resolve("shop.localhost", 0)).length, 2);
  });

  test("a name has the addresses that its server returns", async () => {
    const resolve = createResolver({ servers: [await startNameServer([8, 8, 4, 4])] });
    assert.deepEqual(await resolve("shop.example", 0), [{ address: "8.8.4.4", family: 4 }]);
    assert.deepEqual(await resolve("shop.example", 6), []);
  });

  test("a name server that does not answer is an error; names of the system's file work all the same", async (t) => {
    const closed = createSocket("udp4");
    const port: number = await new Promise((resolve) =>
      closed.bind(0, "127.0.0.1", () => resolve(closed.address().port)),
    );
    await new Promise<void>((resolve) => closed.close(resolve));
    const folder = await mkdtemp(join(tmpdir(), "hosts-"));
    t.after(() => rm(folder, { recursive: true }));
    const hostsFile = join(folder, "hosts");
    await writeFile(
      hostsFile,
      "# 8.8.8.8 shop.example\n10.1.2.3\tInside.example alias.example # 8.8.4.4\nfd00::1 inside.example\nx inside.example\n",
    );
    const resolve = createResolver({ servers: [`127.0.0.1:${port}`], hostsFile });
    assert.equal(await codeOf(resolve("shop.example", 0)), "EAI_AGAIN");
    const [four, six] = [
      { address: "10.1.2.3", family: 4 },
      { address: "fd00::1", family: 6 },
    ];
    assert.deepEqual(await resolve("inside.example", 0), [four, six]);
    assert.deepEqual(await resolve("inside.example", 6), [six]);
    assert.deepEqual(await resolve("ALIAS.example.", 0), [four]);
    // The guard checks them as it checks a name server's.
    const egress = createEgress(resolve);
    t.after(egress.close);
    assert.equal(await egress.pointsInside("http://inside.example/", "public-and-loopback"), true);
    const refused = await post(egress, "http://alias.example/");
    assert.equal(refused.outcome === "failed" && refused.reason, "address_refused");
    const without = createResolver({ servers: [`127.0.0.1:${port}`], hostsFile: join(folder, "none") });
    assert.equal(await codeOf(without("inside.example", 0)), "EAI_AGAIN");
  });
});

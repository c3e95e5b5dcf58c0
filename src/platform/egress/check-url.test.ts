import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { mayDial } from "./address.ts";
import { urlProblem } from "./check-url.ts";

/** Addresses of this machine, of networks inside, of clouds, and forms that carry one of these. */
const HOSTILE = [
  ...["0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.100.100.200", "100.127.255.255"],
  ...["169.254.0.1", "169.254.169.254", "169.254.170.2", "172.16.0.1", "172.31.255.255", "192.0.0.8"],
  ...["192.0.2.1", "192.88.99.1", "192.168.0.1", "192.168.255.255", "198.18.0.1", "198.19.255.255"],
  ...["198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"],
  ...["168.63.129.16", "192.175.48.1"],
  ...["::", "::2", "::ffff:10.0.0.1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "::8.8.8.8"],
  ...["64:ff9b::a00:1", "64:ff9b::808:808", "64:ff9b:1::1", "2002:7f00:1::", "2002:808:808::1", "2001::1"],
  ...[
    "100::1",
    "2001:db8::1",
    "3fff::1",
    "fc00::1",
    "fd00:ec2::254",
    "fd20:ce::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
  ],
  ...["5f00::1", "4000::1", "1::1", "2001:20::1", "fe80::1%eth0", "::1%lo", "2606:4700::1%eth0"],
  ...["", "8.8.8", "localhost", "8.8.8.8.8", "1.2.3.256", "[::1]"],
];
const LOOPBACK = ["127.0.0.1", "127.255.255.254", "::1"];
const PUBLIC = [
  "8.8.8.8",
  "1.1.1.1",
  "172.15.255.255",
  "172.32.0.1",
  "100.63.255.255",
  "2606:4700::1111",
  "2a00::1",
];

describe("contract 7: addresses that may be dialled", () => {
  test("public ones, in live mode and in the sandbox", () => {
    for (const address of PUBLIC) {
      assert.ok(mayDial(address, "public"), address);
      assert.ok(mayDial(address, "public-by-http"), address);
      assert.ok(mayDial(address, "public-and-loopback"), address);
    }
  });
  test("this machine, in the sandbox alone", () => {
    for (const address of LOOPBACK) {
      assert.ok(!mayDial(address, "public"), address);
      assert.ok(!mayDial(address, "public-by-http"), address);
      assert.ok(mayDial(address, "public-and-loopback"), address);
    }
  });
  test("this machine is out of the sandbox's reach where the operator says so", () => {
    for (const address of LOOPBACK) assert.ok(!mayDial(address, "public-in-sandbox"), address);
    for (const address of PUBLIC) assert.ok(mayDial(address, "public-in-sandbox"), address);
    assert.equal(urlProblem("http://shop.example:3000/", "public-in-sandbox"), undefined);
    assert.equal(urlProblem("http://localhost:3000/", "public-in-sandbox"), "address");
  });
  test("private networks, only where the operator says so, and never what a cloud serves there", () => {
    const own = ["10.0.0.1", "172.16.0.1", "192.168.255.255", "fc00::1", "fd12:3456::1"];
    for (const address of own) assert.ok(mayDial(address, "private"), address);
    const others = HOSTILE.filter((one) => !/^(10\.|172\.(16|31)\.|192\.168\.|fc00::1)/.test(one));
    for (const address of others) assert.ok(!mayDial(address, "private"), address);
    for (const address of [...LOOPBACK, ...PUBLIC]) assert.ok(mayDial(address, "private"), address);
    assert.equal(urlProblem("http://printer.local/", "private"), undefined);
    for (const host of ["169.254.169.254", "168.63.129.16", "[fd00:ec2::254]", "[fd20:ce::254]"])
      assert.equal(urlProblem(`http://${host}/`, "private"), "address", host);
  });
  test("no other, whatever form it is written in", () => {
    for (const address of HOSTILE) {
      assert.ok(!mayDial(address, "public"), address);
      assert.ok(!mayDial(address, "public-by-http"), address);
      assert.ok(!mayDial(address, "public-and-loopback"), address);
    }
  });
});

describe("contract 7: URLs that may be called", () => {
  const both = [
    ["https://shop.example/hook?a=b", undefined],
    ["https://shop.example:8443/", undefined],
    ["https://8.8.8.8/", undefined],
    ["https://[2606:4700::1111]/", undefined],
    ["https://shop.example:25/", "port"],
    ["https://shop.example:1023/", "port"],
    ["https://me@shop.example/", "credentials"],
    ["https://me:word@shop.example/", "credentials"],
    ["https://@shop.example/", "credentials"],
    ["https://10.0.0.1/", "address"],
    ["https://0xa000001/", "address"],
    ["https://167772161/", "address"],
    ["https://012.0.0.1/", "address"],
    ["https://[::ffff:10.0.0.1]/", "address"],
    ["https://[::ffff:7f00:1]/", "address"],
    ["https://[64:ff9b::7f00:1]/", "address"],
    ["https://169.254.169.254/latest/meta-data", "address"],
    ["https://metadata.google.internal/", "address"],
    ["https://printer.local/", "address"],
    ["https://0.0.0.0/", "address"],
    ["ftp://shop.example/", "scheme"],
    ["file:///etc/passwd", "scheme"],
    ["javascript:alert(1)", "scheme"],
    ["shop.example/hook", "malformed"],
    ["https://", "malformed"],
    ["https://shop.example/a b", "malformed"],
    ["https://shop.example\\@evil.example/", "malformed"],
    ["https://shop.example/\u0000", "malformed"],
    ["https://[fe80::1%25eth0]/", "malformed"],
  ] as const;
  for (const [url, problem] of both) {
    test(`${JSON.stringify(url)}: ${problem ?? "fine"}`, () => {
      assert.equal(urlProblem(url, "public"), problem);
      assert.equal(urlProblem(url, "public-by-http"), problem);
      assert.equal(urlProblem(url, "public-and-loopback"), problem);
    });
  }

  const sandboxOnly = [
    ["http://shop.example/hook", "scheme"],
    ["https://shop.example:1024/", "port"],
    ["https://shop.example:3000/", "port"],
    ["https://127.0.0.1/", "address"],
    ["https://127.1/", "address"],
    ["https://0x7f.1/", "address"],
    ["https://2130706433/", "address"],
    ["https://[::1]/", "address"],
    ["https://localhost/", "address"],
    ["https://LOCALHOST./", "address"],
    ["https://shop.localhost/", "address"],
  ] as const;
  for (const [url, problem] of sandboxOnly) {
    test(`${url}: only in the sandbox`, () => {
      assert.equal(urlProblem(url, "public"), problem);
      assert.equal(urlProblem(url, "public-and-loopback"), undefined);
    });
  }

  test("http and port 80, for pictures in live mode too, and nothing else", () => {
    for (const url of ["http://shop.example/a.png", "https://shop.example:80/", "http://8.8.8.8/"]) {
      assert.equal(urlProblem(url, "public-by-http"), undefined, url);
      assert.notEqual(urlProblem(url, "public"), undefined, url);
    }
    for (const [url, problem] of sandboxOnly.slice(1))
      assert.equal(urlProblem(url.replace("https:", "http:"), "public-by-http"), problem, url);
  });
});

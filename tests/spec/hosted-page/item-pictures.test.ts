import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { urlProblem } from "../../../src/platform/egress/check-url.ts";
import { type Shop, shopOf } from "../../support/checkout.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { createHosted } from "../../support/hosted-page.ts";
import { visitPage } from "../../support/visit-page.ts";

const LARGEST = 512 * 1024;
const png = (size: number) => Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(size - 8)]);

describe("contract 11: line-item images are fetched by the gateway", () => {
  let gateway: TestGateway;
  let shop: Shop;
  const asked: string[] = [];
  const seen: string[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    seen.push(JSON.stringify(request.headers));
    const send = (type: string, body: Buffer | string) => response.setHeader("content-type", type).end(body);
    if (request.url?.startsWith("/slow") === true) void released.then(() => send("image/png", png(100)));
    else if (request.url === "/b.png") send("image/png", png(100));
    else if (request.url === "/a.png") send("image/png", png(100));
    else if (request.url === "/largest.png") send("image/png", png(LARGEST));
    else if (request.url === "/larger.png") send("image/png", png(LARGEST + 1));
    else if (request.url === "/lie.png") send("image/png", "<script>alert(1)</script>");
    else if (request.url === "/photo") send("text/html", Buffer.from("ffd8ffe000104a464946", "hex"));
    else if (request.url === "/a.svg")
      send("image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>");
    else if (request.url === "/redirect") response.writeHead(302, { location: "/a.png" }).end();
    else response.writeHead(404).end();
  });
  let origin: string;
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    gateway = await startTestGateway({
      wrapContext: (ctx) => ({
        ...ctx,
        egress: {
          ...ctx.egress,
          // shop.example is on this machine, for what may go to public addresses.
          send: (outgoing) => {
            const { url, reach } = outgoing;
            if (!/^https?:.*shop\.example/.test(url) || urlProblem(url, reach) !== undefined)
              return ctx.egress.send(outgoing);
            const here = origin + new URL(url).pathname;
            return ctx.egress.send({ ...outgoing, url: here, reach: "public-and-loopback" });
          },
        },
      }),
    });
    shop = shopOf(gateway);
  });
  after(async () => {
    server.close();
    await gateway.stop();
  });

  async function open(image: string): Promise<string> {
    const lineItems = [{ title: "Beans", amount: 3000, image }];
    return (await createHosted(shop, { page: { lineItems } })).hostedPaymentPage.url;
  }
  const picture = async (image: string) => visitPage(shop, `${await open(image)}/items/0`);

  test("once, and served as a picture that can do nothing else", async () => {
    const first = await picture(`${origin}/a.png`);
    assert.equal(first.status, 200);
    assert.equal(first.headers.get("content-type"), "image/png");
    assert.equal(first.headers.get("x-content-type-options"), "nosniff");
    assert.match(first.headers.get("content-security-policy") ?? "", /default-src 'none'; sandbox/);
    assert.equal((await picture(`${origin}/a.png`)).status, 200);
    assert.deepEqual(
      asked.filter((url) => url === "/a.png"),
      ["/a.png"],
    );
    assert.doesNotMatch(seen.join(), /referer|cookie|pay\//i);
  });

  test("up to 512 KiB", async () => {
    assert.equal((await picture(`${origin}/largest.png`)).status, 200);
    assert.equal((await picture(`${origin}/larger.png`)).status, 404);
  });

  test("of a type that their bytes show, whatever their server says", async () => {
    assert.equal((await picture(`${origin}/photo`)).headers.get("content-type"), "image/jpeg");
    assert.equal((await picture(`${origin}/lie.png`)).status, 404);
    assert.equal((await picture(`${origin}/a.svg`)).status, 404);
  });

  test("never from private addresses or through redirects", async () => {
    assert.equal((await picture(`${origin}/redirect`)).status, 404);
    assert.equal((await picture("http://169.254.169.254/latest/a.png")).status, 404);
    assert.equal((await picture("http://10.0.0.1/a.png")).status, 404);
  });

  test("four at once for a merchant: a slow host delays the pictures of its own merchant alone", async () => {
    const lineItems = Array.from({ length: 50 }, (_, at) => ({
      title: "Beans",
      amount: 60,
      image: `${origin}/slow/${at}.png`,
    }));
    const { url } = (await createHosted(shop, { page: { lineItems } })).hostedPaymentPage;
    const other = shopOf(gateway, (await gateway.newMerchant()).key);
    const page = { lineItems: [{ title: "Beans", amount: 3000, image: `${origin}/b.png` }] };
    const quick = `${(await createHosted(other, { page })).hostedPaymentPage.url}/items/0`;
    const statuses: number[] = [];
    const slowOnes = () => asked.filter((one) => one.startsWith("/slow")).length;
    const slow = lineItems.map(async (_, at) => {
      statuses.push((await visitPage(shop, `${url}/items/${at}`)).status);
    });
    await eventually("the first are fetched", async () => slowOnes() === 4);
    assert.equal((await visitPage(other, quick)).status, 200);
    assert.equal(slowOnes(), 4);
    release();
    await Promise.all(slow);
    assert.deepEqual(statuses, Array(50).fill(200), "all pictures of the longest page");
  });

  test("only for items of the page", async () => {
    const url = await open(`${origin}/a.png`);
    for (const item of ["1", "-1", "x", "00000", "0/.."]) {
      assert.equal((await visitPage(shop, `${url}/items/${item}`)).status, 404, item);
    }
  });

  // The last one: where a live merchant is open, the sandbox does not reach this machine.
  test("for a live merchant by http too, from public addresses", async () => {
    const { id, key } = await gateway.newMerchant();
    const live = shopOf(gateway, key);
    const images = ["http://shop.example/a.png", "https://shop.example/a.png", `${origin}/a.png`];
    const lineItems = images.map((image) => ({ title: "Beans", amount: 1000, image }));
    const { url } = (await createHosted(live, { page: { lineItems } })).hostedPaymentPage;
    await gateway.database.rows("update merchants set mode = 'live' where id = $1", [id]);
    const statuses = images.map(async (_, at) => (await visitPage(live, `${url}/items/${at}`)).status);
    assert.deepEqual(await Promise.all(statuses), [200, 200, 404]);
  });
});

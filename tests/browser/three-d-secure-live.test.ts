import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import type { ThreeDSecure } from "../../src/connectors/ports/three-d-secure.ts";
import { browserSetup } from "../support/browser.ts";
import { makeCertificate } from "../support/certificate.ts";
import { getTransaction, type Shop, shopOf } from "../support/checkout.ts";
import type { CheckoutPage } from "../support/checkout-page.ts";
import { withLiveAcquirer } from "../support/fake-acquirer.ts";

const CRES = Buffer.from(`{"messageType":"CRes","transStatus":"Y"}`).toString("base64url");

describe("3D Secure with a bank on a site of its own", () => {
  /** The bank's origin. */
  let bank = "";
  /** What the bank received, by path. */
  const posted = new Map<string, string>();
  const seen: unknown[] = [];
  /** How often the bank's result is asked for before it is there. */
  let failures = 0;
  const threeDSecure: ThreeDSecure = {
    begin: async ({ methodNotificationUrl }) => {
      seen.push(methodNotificationUrl);
      const fields = { threeDSMethodData: "bWV0aG9k" };
      return { kind: "method", handover: { url: `${bank}/method`, fields }, state: "one" };
    },
    authenticate: async (_request, { completion, state }) => {
      seen.push([completion, state]);
      return {
        kind: "challenge",
        handover: { url: `${bank}/acs`, fields: { creq: "Y3JlcQ" } },
        state: "two",
      };
    },
    resultOf: async (_reference, { cres, state }) => {
      seen.push([cres, state]);
      failures -= 1;
      if (failures >= 0) throw new Error("the bank does not answer");
      return { status: "Y", eci: "05", version: "2.2.0" };
    },
  };
  const setup = browserSetup({
    wrapContext: (ctx) => {
      const live = withLiveAcquirer(ctx);
      return {
        ...live,
        connectors: {
          ...live.connectors,
          getThreeDSecure: () => threeDSecure,
          findThreeDSecure: () => threeDSecure,
        },
      };
    },
  });
  let shop: Shop;
  let server: Server | undefined;
  after(() => server?.close());
  before(async () => {
    const { id, key } = await setup.gateway.newMerchant({ mode: "live" });
    const capabilities = JSON.stringify({ cardNotPresent: true, threeDSecure: true });
    const grant = "update merchants set capabilities = $2 where id = $1";
    await setup.gateway.database.rows(grant, [id, capabilities]);
    shop = shopOf(setup.gateway, key);
    server = await startBank();
    bank = `https://localhost:${(server.address() as AddressInfo).port}`;
  });

  /** Starts the bank. One of its pages returns by itself, the other when the payer presses the button. */
  async function startBank(): Promise<Server> {
    const page = (path: string, name: string, value: string, rest: string) =>
      `<!doctype html><title>Bank</title><form method="post" action="${setup.gateway.hostedUrl}${path}">
       <input type="hidden" name="${name}" value="${value}">${rest}</form>`;
    const submit = "<script>document.forms[0].submit()</script>";
    const pages: Readonly<Record<string, string>> = {
      "/method": page("/checkout/3ds/method", "threeDSMethodData", "bWV0aG9k", submit),
      "/acs": page("/checkout/3ds/challenge", "cres", CRES, "<button>Confirm</button>"),
    };
    const { certFile, keyFile } = await makeCertificate();
    const files = { cert: await readFile(certFile), key: await readFile(keyFile) };
    const server = createServer(files, (request, response) => {
      request.setEncoding("utf8").on("data", (body: string) => posted.set(request.url ?? "", body));
      response.setHeader("content-type", "text/html").end(pages[request.url ?? ""] ?? "");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  /** A payment that the bank challenges, from the moment when the payer presses Pay. */
  async function paying(then: (checkout: CheckoutPage) => Promise<void>): Promise<void> {
    const { token } = await setup.request({ category: { authenticationType: "3d_secure" } }, shop);
    await setup.visit(
      async (payer) => {
        const checkout = await payer.open({ token });
        await checkout.fill();
        await checkout.pay();
        await then(checkout);
      },
      { vendors: [bank], ignoreHTTPSErrors: true },
    );
  }

  test("method step and challenge run in frames of the bank's origin, and the payment is approved", async () => {
    await paying(async (checkout) => {
      await checkout.waitFor("challenge");
      const frame = checkout.frame.locator('iframe[title="Confirmation by your bank"]');
      await frame.contentFrame().getByRole("button", { name: "Confirm" }).waitFor();
      // The bank's page cannot be measured: the frame keeps the height that the protocol asks for.
      assert.equal((await frame.boundingBox())?.height, 400);
      await frame.contentFrame().getByRole("button", { name: "Confirm" }).click();
      await checkout.waitFor("approved");
      assert.deepEqual(Object.fromEntries(posted), {
        "/method": "threeDSMethodData=bWV0aG9k",
        "/acs": "creq=Y3JlcQ",
      });
      const { transactionId = "" } = await checkout.event("process");
      const { authentication } = await getTransaction(shop, transactionId);
      assert.equal(authentication.status, "authenticated");
      assert.deepEqual(seen, [`${setup.gateway.hostedUrl}/checkout/3ds/method`, ["Y", "one"], [CRES, "two"]]);
    });
  });

  test("a result that is not there yet is asked for again, and the payment is approved", async () => {
    failures = 2;
    seen.length = 0;
    await paying(async (checkout) => {
      const frame = checkout.frame.locator('iframe[title="Confirmation by your bank"]');
      await frame.contentFrame().getByRole("button", { name: "Confirm" }).click();
      await checkout.waitFor("approved");
      assert.deepEqual(seen.slice(2), Array(3).fill([CRES, "two"]));
    });
  });

  test("the page with the card form may show banks with TLS, and may still post nowhere", async () => {
    const { token } = await setup.request({ category: { authenticationType: "3d_secure" } }, shop);
    const hint = token.split("_")[1] ?? "";
    const policyFor = async (merchantHint: string) => {
      const address = `${setup.gateway.hostedUrl}/checkout/1.0.0/${merchantHint}/frame`;
      return (
        (await fetch(address.replace("localhost", "127.0.0.1"))).headers.get("content-security-policy") ?? ""
      );
    };
    assert.match(await policyFor(hint), /frame-src 'self' https:; form-action 'none';/);
    const sandbox = (await setup.request()).token;
    const ours = sandbox.split("_")[1] ?? "";
    assert.match(await policyFor(ours), /frame-src 'self'; form-action 'none';/);
  });
});

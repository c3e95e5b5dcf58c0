import { TEST_VAULT_KEY } from "../support/calls.ts";
import { callApi, type Shop, shopOf } from "../support/checkout.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { createHosted } from "../support/hosted-page.ts";
import { chargeOf, storedCard } from "../support/stored-cards.ts";
import type { Probe } from "./probe.ts";

/** Attempts to fill the disk with browsers' reports about pages, or to read secrets from them. */
export function reportProbes({ hostedUrl, database }: TestGateway, shop: Shop): readonly Probe[] {
  const send = async (body: string) => {
    const headers = { "content-type": "application/csp-report" };
    return (await fetch(`${hostedUrl}/page-reports`, { method: "POST", headers, body })).status;
  };
  return [
    [
      "a page's key through a browser's report",
      async () => {
        const { url } = (await createHosted(shop)).hostedPaymentPage;
        const report = { "document-uri": url, "violated-directive": "img-src", "blocked-uri": `${url}?x` };
        const status = await send(JSON.stringify({ "csp-report": report }));
        const stored = JSON.stringify(await database.rows("select * from page_reports"));
        return status === 204 && stored.includes("img-src") && !stored.includes(url.split("/").at(-1) ?? "");
      },
    ],
    ["a report that is too long", async () => (await send("x".repeat(16 * 1024 + 1))) === 413],
    ["a report that is nested without end", async () => (await send("[".repeat(16 * 1024))) === 204],
    [
      "a flood of reports",
      async () => (await Promise.all(Array.from({ length: 40 }, () => send("{}")))).includes(429),
    ],
  ];
}

type RowsWith = (text: string) => Promise<number>;

export function keyProbes({ database }: TestGateway, shop: Shop, rowsWith: RowsWith): readonly Probe[] {
  const forms = (["base64url", "hex"] as const).map((form) =>
    Buffer.from(TEST_VAULT_KEY, "base64").toString(form),
  );
  return [
    [
      "the vault's master key in the database",
      async () => (await Promise.all([TEST_VAULT_KEY, ...forms].map(rowsWith))).every((count) => count === 0),
    ],
    [
      "stored cards used faster than the operator allows",
      async () => {
        const node = await startTestGateway({
          database,
          environment: { TIDEGATE_VAULT_USES_PER_MINUTE: "1" },
        });
        const target = shopOf(node, shop.key);
        const body = chargeOf(await storedCard(target));
        const statuses: number[] = [];
        // Of three in a row two are in the same minute.
        for (let use = 0; use < 3; use += 1)
          statuses.push((await callApi(target, "POST", "/transactions", body)).status);
        await node.stop();
        return statuses.includes(429);
      },
    ],
  ];
}

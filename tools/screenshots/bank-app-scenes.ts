import type { Page } from "playwright-core";
import type { TestGateway } from "../../tests/support/gateway.ts";
import { payIdShop } from "../../tests/support/payid.ts";
import type { Scene } from "./studio.ts";

async function pay(page: Page, amount: string): Promise<void> {
  await page.getByLabel("Amount in dollars").fill(amount);
  await page.getByRole("button", { name: "Pay", exact: true }).click();
}

const STATES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  form: async () => undefined,
  wrong: async (page) => {
    await pay(page, "thirty");
    await page.getByText("Type an amount such as 30.00.").waitFor();
  },
  returned: async (page) => {
    await pay(page, "29.99");
    await page.getByRole("heading", { name: "Transfer returned: short" }).waitFor();
  },
  accepted: async (page) => {
    await pay(page, "30.00");
    await page.getByRole("heading", { name: "Transfer accepted" }).waitFor();
  },
};

/** The sandbox's bank app, in which a payer pays to a PayID. */
export function bankAppScenes(gateway: TestGateway): readonly Scene[] {
  return Object.entries(STATES).map(([name, reach]) => ({
    name: `bank-app-${name}`,
    reach: async (page) => {
      const { bankApp } = await payIdShop(gateway).request();
      await page.goto(`${gateway.hostedUrl}${bankApp}`);
      await reach(page);
    },
  }));
}

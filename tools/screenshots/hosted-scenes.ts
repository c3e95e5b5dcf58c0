import { defined } from "../../src/kernel/defined.ts";
import { callApi, ok, type Shop } from "../../tests/support/checkout.ts";
import {
  createHosted,
  type HostedOverrides,
  type HostedPage,
  hostedPage,
} from "../../tests/support/hosted-page.ts";
import { customerWithCards } from "../../tests/support/saved-cards.ts";
import type { Scene } from "./studio.ts";

type HostedScene = {
  readonly name: string;
  readonly overrides: HostedOverrides;
  readonly scripts?: false;
  /** For a customer with saved cards. */
  readonly savedCards?: true;
  readonly reach: (hosted: HostedPage, shop: Shop, id: string) => Promise<unknown>;
  readonly unanswered?: string;
};

const ORDER: HostedOverrides = {
  amount: 6500,
  description: "Order 1042, collected at the harbour",
  page: {
    merchantName: "Harbour Coffee Roasters",
    redirectUrl: "https://shop.example/orders/1042",
    attempts: 2,
    lineItems: [
      { title: "Single origin Ethiopia", amount: 1800, quantity: 2 },
      { title: "House blend", amount: 4000, quantity: 0.5, modifier: "kg" },
      { title: "Paper filters", amount: 650 },
    ],
    adjustments: [
      { title: "Harvest discount", amount: -500, adjustmentType: "Discount", order: 1 },
      { title: "Shipping", amount: 750, adjustmentType: "Shipping", order: 2 },
    ],
  },
};

const MANY: HostedOverrides = {
  amount: 50 * 120,
  page: {
    lineItems: Array.from({ length: 50 }, (_, at) => ({
      title: `Item ${at + 1} of a long order`,
      amount: 120,
    })),
  },
};

/** Difficult texts: long, without a space, right to left, with emoji. */
const ODD: HostedOverrides = {
  amount: 3000,
  description: "קפה טוב מאוד ☕ 👩‍💻 in one line with words that go on",
  page: {
    merchantName: `${"Wandering".repeat(8)} & Söhne`,
    lineItems: [{ title: "Donaudampfschifffahrtsgesellschaftskapitänsmütze", amount: 3000 }],
  },
};

async function pay(hosted: HostedPage): Promise<void> {
  await hosted.fill({ name: "Mere Tui" });
  await hosted.pay();
}

const isReady = (hosted: HostedPage) => hosted.waitFor("ready");

const SCENES: readonly HostedScene[] = [
  { name: "form", overrides: ORDER, reach: isReady },
  {
    name: "themed",
    overrides: {
      ...ORDER,
      page: {
        ...ORDER.page,
        theme: { variables: { colorPrimary: "#7a2048", borderRadius: "3px" }, font: "serif" },
      },
    },
    reach: isReady,
  },
  {
    name: "address",
    overrides: { ...ORDER, more: { ...ORDER.more, transactionRequest: { collectAddress: "full" } } },
    reach: isReady,
  },
  { name: "many", overrides: MANY, reach: isReady },
  { name: "odd", overrides: ODD, reach: isReady },
  {
    name: "saved",
    overrides: ORDER,
    savedCards: true,
    reach: (hosted) => hosted.page.getByLabel("Security code", { exact: true }).fill("123"),
  },
  {
    name: "saved-removal-without-scripts",
    overrides: ORDER,
    savedCards: true,
    scripts: false,
    reach: (hosted) => hosted.page.getByRole("button", { name: /^Remove Visa/ }).click(),
  },
  {
    name: "approved",
    overrides: ORDER,
    reach: async (hosted) => {
      await pay(hosted);
      await hosted.waitFor("approved");
    },
  },
  {
    name: "retry",
    overrides: { amount: 14451, page: { attempts: 2 } },
    reach: async (hosted) => {
      await pay(hosted);
      await hosted.waitFor("declined");
    },
  },
  {
    name: "declined",
    overrides: { amount: 14451, page: { redirectUrl: "https://shop.example" } },
    reach: async (hosted) => {
      await pay(hosted);
      await hosted.waitFor("declined");
    },
  },
  {
    name: "challenge",
    overrides: { amount: 14418, category: { authenticationType: "3d_secure" } },
    reach: async (hosted) => {
      await pay(hosted);
      await hosted.bank.getByRole("button", { name: "Approve" }).waitFor();
    },
  },
  {
    name: "pending",
    overrides: { amount: 14481 },
    reach: async (hosted) => {
      await pay(hosted);
      await hosted.waitFor("pending");
    },
    unanswered: "**/checkout/outcome",
  },
  {
    name: "closed",
    overrides: { page: { resultPage: "none" } },
    reach: async (hosted) => {
      await pay(hosted);
      await hosted.waitFor("closed");
    },
  },
  {
    name: "cancelled",
    overrides: {},
    reach: async (hosted, shop, id) => {
      ok(await callApi(shop, "POST", `/paymentrequests/${id}/cancel`));
      await hosted.page.reload();
      await hosted.waitFor("cancelled");
    },
  },
  {
    name: "wrong-without-scripts",
    overrides: ORDER,
    scripts: false,
    reach: async (hosted) => {
      await hosted.fill({ number: "4111 1111 1111 1112" });
      await hosted.pay();
      await hosted.page.locator(".field-wrong").first().waitFor();
    },
  },
  {
    name: "confirm-without-scripts",
    overrides: ORDER,
    scripts: false,
    reach: async (hosted) => {
      await hosted.fill({ number: "378282246310005", code: "1234" });
      await hosted.pay();
      await hosted.page.getByText("Check the total").waitFor();
    },
  },
];

type Made = { readonly id: string; readonly hostedPaymentPage: { readonly url: string } };

/** The hosted page in all its states; the shop has a surcharge on American Express. */
export function hostedScenes(shop: Shop): readonly Scene[] {
  const states = SCENES.map(
    ({ name, overrides, scripts, reach, savedCards, unanswered }): Scene => ({
      name: `hosted-${name}`,
      ...defined({ unanswered }),
      ...(reach === isReady ? { reloads: true } : {}),
      options: { javaScriptEnabled: scripts !== false },
      reach: async (page) => {
        const more = savedCards === true ? { more: { customerRequest: await customerWithCards(shop) } } : {};
        const { id, hostedPaymentPage } = (await createHosted(shop, { ...overrides, ...more })) as Made;
        await page.goto(hostedPaymentPage.url);
        await reach(hostedPage(page), shop, id);
      },
    }),
  );
  const lost: Scene = { name: "hosted-lost", reach: (page) => page.goto(`${shop.hostedUrl}/nowhere`) };
  return [...states, lost];
}

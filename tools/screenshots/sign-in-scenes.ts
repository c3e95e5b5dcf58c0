import type { Page } from "playwright-core";
import { signedIn } from "../../tests/support/dashboard.ts";
import type { TestGateway } from "../../tests/support/gateway.ts";
import type { Scene } from "./studio.ts";

type SignInScene = {
  readonly name: string;
  /** Relative to the merchant's pages, or an absolute path. */
  readonly path: string;
  readonly signedOut?: true;
  readonly reach?: (page: Page) => Promise<unknown>;
  /** A selector: only what the window shows of it. A picture of the whole page leaves a frame blank. */
  readonly only?: string;
};

const press = (name: string) => (page: Page) =>
  page.getByRole("button", { name, exact: true }).first().click();

const SCENES: readonly SignInScene[] = [
  { name: "sign-in", path: "/dashboard/signin", signedOut: true },
  { name: "welcome", path: "/dashboard/welcome", signedOut: true },
  { name: "account", path: "/dashboard/account" },
  { name: "second-factor", path: "/dashboard/account/second-factor" },
  { name: "users", path: "/dashboard/users" },
  {
    name: "user",
    path: "/dashboard/users",
    reach: async (page) => {
      await page.locator('main a[href^="/dashboard/users/usr_"]').first().click();
      await page.getByRole("heading", { name: "Access" }).waitFor();
    },
  },
  { name: "merchants", path: "/dashboard/merchants" },
  { name: "page-reports", path: "/dashboard/page-reports" },
  { name: "keys", path: "keys" },
  { name: "new-key", path: "keys", reach: press("Create key") },
  {
    name: "settings-refused",
    path: "settings",
    reach: async (page) => {
      await page.getByLabel("Visa: Percent").fill("much");
      await page.locator('form[action$="/settings/surcharging"]').getByRole("button").click();
      await page.locator(".field-wrong").first().waitFor();
    },
  },
  { name: "webhooks", path: "webhooks" },
  { name: "rotate", path: "webhooks/signing-key/rotate" },
  {
    name: "theme-preview",
    path: "settings/theme",
    reach: async (page) => {
      await page.getByLabel("Main colour", { exact: true }).fill("#8a2be2");
      await press("Show it")(page);
      await page.frameLocator("#preview iframe").getByRole("button", { name: /^Pay/ }).waitFor();
    },
    only: "#preview",
  },
  {
    name: "theme-refused",
    path: "settings/theme",
    reach: async (page) => {
      await page.getByLabel("Main colour", { exact: true }).fill("#12");
      await page.getByLabel("Size of text", { exact: true }).fill("16");
      await press("Save as default")(page);
      await page.locator(".field-wrong").first().waitFor();
    },
  },
  { name: "lost", path: "nowhere" },
];

/** The dashboard's sign-in, users and settings. */
export async function signInScenes(gateway: TestGateway, merchantId: string): Promise<readonly Scene[]> {
  const visitor = await signedIn(gateway, { role: "operator", email: "aroha@gateway.example" });
  await signedIn(gateway, { role: "staff", merchantId, email: "mere@shop.example" });
  const value = visitor.cookies.get("tidegate_session") ?? "";
  const url = gateway.baseUrl;
  return SCENES.map(({ name, path, signedOut, reach, only }) => ({
    name: `dashboard-${name}`,
    ...(reach === undefined ? { reloads: true } : {}),
    ...(only === undefined
      ? {}
      : {
          windowOnly: true,
          prepare: (page) =>
            page.evaluate(
              `document.querySelector(${JSON.stringify(only)}).scrollIntoView({ block: "center" })`,
            ),
        }),
    reach: async (page) => {
      if (signedOut !== true) await page.context().addCookies([{ name: "tidegate_session", value, url }]);
      await page.goto(url + (path.startsWith("/") ? path : `/dashboard/${merchantId}/${path}`));
      await reach?.(page);
      await page.locator("main").waitFor();
    },
  }));
}

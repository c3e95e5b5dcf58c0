import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { themeCss } from "../../../src/hosted-page/theme.ts";
import { type Shop, shopOf } from "../../support/checkout.ts";
import { formFields, signedIn, type Visitor } from "../../support/dashboard.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { createHosted } from "../../support/hosted-page.ts";

describe("a theme is saved as the merchant's default", () => {
  let gateway: TestGateway;
  let shop: Shop;
  let merchantId: string;
  let admin: Visitor;
  let path: string;
  before(async () => {
    gateway = await startTestGateway();
    const merchant = await gateway.newMerchant();
    merchantId = merchant.id;
    shop = shopOf(gateway, merchant.key);
    admin = await signedIn(gateway, { role: "admin", merchantId });
    path = `/dashboard/${merchantId}/settings/theme`;
  });
  after(() => gateway.stop());

  const load = async (url: string) => {
    const answer = await fetch(url.replace("localhost", "127.0.0.1"));
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  };
  const frame = () => load(`${gateway.hostedUrl}/checkout/1.0.0/${merchantId.slice(4)}/frame`);
  const save = async (fields: Readonly<Record<string, string>>) => {
    await admin.get(path);
    return admin.submit(`${path}/save`, fields);
  };
  const hostedPage = async () => {
    const { url } = (await createHosted(shop)).hostedPaymentPage as { readonly url: string };
    return (await load(url)).text;
  };
  const styleOf = (page: string) => /href="(\/static\/pay\/themes\/[^"]+)"/.exec(page)?.[1];

  test("the frame and the hosted page have it, and the page shows it again", async () => {
    assert.doesNotMatch((await frame()).text, /data-ui/);
    assert.equal(styleOf(await hostedPage()), undefined);
    const saved = await admin.follow(await save({ colorPrimary: "#8a2be2", colorBackground: "#101018" }));
    assert.match(saved.text, /Checkouts and hosted pages use it/);
    assert.equal(formFields(saved.text, `${path}/save`)["colorPrimary"], "#8a2be2");
    assert.match((await frame()).text, /<main data-ui="{&quot;colorPrimary&quot;:&quot;#8a2be2&quot;/);
    const page = await hostedPage();
    assert.match(page, /<html lang="en" data-theme="dark">/);
    const style = await load(gateway.hostedUrl + styleOf(page));
    assert.equal(style.status, 200);
    assert.match(style.headers.get("content-type") ?? "", /^text\/css/);
    assert.match(style.text, /--primary: #8a2be2;/);
    assert.equal((await load(`${gateway.hostedUrl}${styleOf(page)}x`)).status, 404);
    const first = styleOf(page);
    await save({ colorPrimary: "#00695c", colorBackground: "", theme: "light" });
    const other = styleOf(await hostedPage());
    assert.notEqual(other, first, "a new theme has a new address");
    assert.equal((await load(gateway.hostedUrl + first)).status, 404);
  });

  test("a value that could do harm is refused beside its field, and nothing is saved", async () => {
    await save({ colorPrimary: "#00695c" });
    const before = (await frame()).text;
    for (const colorText of ["url(https://x.example)", "red; } body { display: none", "var(--danger)"]) {
      const answer = await save({ colorText });
      assert.equal(answer.status, 400);
      assert.match(answer.text, /id="p-colorText"/);
    }
    assert.equal((await frame()).text, before);
  });

  test("a value that is no colour is refused beside its field, which says what to type", async () => {
    await save({ colorPrimary: "#00695c" });
    const before = (await frame()).text;
    const answer = await save({ colorPrimary: "#12" });
    assert.equal(answer.status, 400);
    assert.match(
      answer.text,
      /id="p-colorPrimary"[^>]*>[^"]*(?:"|&quot;)#12(?:"|&quot;) is not a colour: write # and six hex digits, such as #0b5fff/,
    );
    assert.equal(formFields(answer.text, `${path}/save`)["colorPrimary"], "#12", "what was typed stays");
    assert.equal((await frame()).text, before);
  });

  test("an empty form removes it", async () => {
    const none = Object.fromEntries(
      Object.keys(formFields((await admin.get(path)).text, `${path}/save`))
        .filter((name) => name !== "token" && name !== "once")
        .map((name) => [name, ""]),
    );
    const gone = await admin.follow(await save(none));
    assert.match(gone.text, /The default theme is removed/);
    assert.doesNotMatch((await frame()).text, /data-ui/);
  });

  test("staff can't save it; a live merchant's admin can", async () => {
    const staff = await signedIn(gateway, { role: "staff", merchantId });
    const { token = "" } = formFields((await staff.get(path)).text, "/dashboard/signout");
    assert.equal((await staff.post(`${path}/save`, { token, colorPrimary: "#000000" })).status, 403);
    const live = await gateway.newMerchant({ mode: "live" });
    const owner = await signedIn(gateway, { role: "admin", merchantId: live.id });
    await owner.get(`/dashboard/${live.id}/settings/theme`);
    const saved = await owner.submit(`/dashboard/${live.id}/settings/theme/save`, {
      colorPrimary: "#112233",
    });
    assert.equal(saved.status, 303);
    const { text } = await load(`${gateway.hostedUrl}/checkout/1.0.0/${live.id.slice(4)}/frame`);
    assert.match(text, /#112233/);
  });

  test("the stylesheet keeps text readable and sizes within limits", () => {
    const css = themeCss({
      variables: {
        colorPrimary: "#ffee00",
        colorText: "#222222",
        fontSizeBase: "40px",
        spacingUnit: "50%",
        borderRadius: "10px",
        nonsense: "1",
      },
    });
    assert.match(css, /--on-primary: #000;/);
    assert.match(css, /--accent: var\(--text\);/);
    assert.match(css, /--size: clamp\(12px, 40px, 24px\);/);
    assert.match(css, /--surface-radius: min\(calc\(10px \* 1\.5\), 48px\);/);
    assert.doesNotMatch(css, /--unit|nonsense/);
    assert.doesNotMatch(themeCss({ variables: { colorText: "red;}" } }), /red/);
  });
});

import { writeFile } from "node:fs/promises";
import type { MedusaContainer } from "@medusajs/framework/types";
import { Modules } from "@medusajs/framework/utils";
import {
  createApiKeysWorkflow,
  createProductsWorkflow,
  createRegionsWorkflow,
  createSalesChannelsWorkflow,
  linkSalesChannelsToApiKeyWorkflow,
} from "@medusajs/medusa/core-flows";

/** A shop that sells coffee in two regions; its ids and keys go to the file SEED_FILE. Run by `medusa exec`. */
// biome-ignore lint/style/noDefaultExport: as Medusa calls it
export default async function seed({ container }: { readonly container: MedusaContainer }): Promise<void> {
  const payment = container.resolve(Modules.PAYMENT);
  const payment_providers = (await payment.listPaymentProviders({})).map(({ id }) => id);
  const channels = await createSalesChannelsWorkflow(container).run({
    input: { salesChannelsData: [{ name: "Web" }] },
  });
  const [channel] = channels.result;
  const regions = await createRegionsWorkflow(container).run({
    input: {
      regions: [
        { name: "Australia", currency_code: "aud", countries: ["au"], payment_providers },
        { name: "United States", currency_code: "usd", countries: ["us"], payment_providers },
      ],
    },
  });
  const keys = await createApiKeysWorkflow(container).run({
    input: {
      api_keys: [
        { title: "storefront", type: "publishable", created_by: "" },
        { title: "back office", type: "secret", created_by: "" },
      ],
    },
  });
  const [publishable, secret] = keys.result;
  if (channel === undefined || publishable === undefined) throw new Error("the shop has no channel or key");
  await linkSalesChannelsToApiKeyWorkflow(container).run({
    input: { id: publishable.id, add: [channel.id] },
  });

  const variants = Object.entries({ bag: 19.99, sack: 64.5, tin: 144.19, odd: 16.9915 });
  const products = await createProductsWorkflow(container).run({
    input: {
      products: [
        {
          title: "Coffee",
          status: "published",
          sales_channels: [{ id: channel.id }],
          options: [{ title: "Size", values: variants.map(([title]) => title) }],
          variants: variants.map(([title, amount]) => ({
            title,
            manage_inventory: false,
            options: { Size: title },
            prices: ["aud", "usd"].map((currency_code) => ({ amount, currency_code })),
          })),
        },
      ],
    },
  });
  const ids = products.result.flatMap((product) => product.variants.map(({ title, id }) => [title, id]));
  const shop = {
    regions: Object.fromEntries(regions.result.map(({ currency_code, id }) => [currency_code, id])),
    publishableKey: publishable.token,
    secretKey: secret?.token,
    variants: Object.fromEntries(ids),
  };
  await writeFile(process.env["SEED_FILE"] ?? "", JSON.stringify(shop));
}

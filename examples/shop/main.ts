import { openShop } from "./open-shop.ts";
import { readSettings } from "./settings.ts";

const shop = await openShop(readSettings(process.env));
console.log(`The shop is open: ${shop.url}`);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => void shop.close().then(() => process.exit(0)));
}

import { PAGE_SCRIPTS } from "../../src/hosted-page/checkout-frame/script-inventory.ts";
import { page, table } from "./markdown.ts";

export function scriptsPage(): string {
  const rows = Object.values(PAGE_SCRIPTS).map(({ name, pages, purpose, source }) => [
    `\`${name}\``,
    pages.join(", "),
    source === "vendor" ? "the vendor" : "this gateway",
    purpose,
  ]);
  return page(
    "Scripts on payment pages",
    "the table in [script-inventory.ts](../../src/hosted-page/checkout-frame/script-inventory.ts)",
    [
      "Every script that runs where a payer types or answers; there is no other, and none is inline. A running gateway publishes the same list with addresses and hashes at `{hosted_url}/static/pay/scripts.json`. What it is for: [PCI notes](../guides/pci.md).",
      table(["Script", "Page", "Served by", "Why it is there"], rows),
    ],
  );
}

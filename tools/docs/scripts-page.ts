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
      "Every script that runs on a page where a payer enters data; no other script runs, and none is inline. A running gateway publishes the same list with URLs and hashes at `{hosted_url}/static/pay/scripts.json`. Its purpose: [PCI notes](../guides/pci.md).",
      table(["Script", "Page", "Served by", "Purpose"], rows),
    ],
  );
}

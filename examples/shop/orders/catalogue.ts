export type Product = {
  readonly id: string;
  readonly title: string;
  readonly words: string;
  /** Cents. */
  readonly price: number;
  /** Colours of its bag. */
  readonly colours: readonly [string, string];
  /** Without shipping. */
  readonly voucher?: true;
};

/** The products. A browser sends ids and quantities; prices come only from here. */
export const PRODUCTS: readonly Product[] = [
  {
    id: "lighthouse",
    title: "Lighthouse Blend",
    words: "Bright and round. 250 g, roasted on Tuesdays.",
    price: 1850,
    colours: ["#e4b363", "#9a5b2c"],
  },
  {
    id: "night-ferry",
    title: "Night Ferry",
    words: "Dark, with a taste of cocoa. 250 g.",
    price: 1950,
    colours: ["#33506b", "#14222f"],
  },
  {
    id: "fog-signal",
    title: "Fog Signal",
    words: "Ethiopian, for filters. 250 g.",
    price: 2200,
    colours: ["#8fb8a8", "#2f5d50"],
  },
  {
    id: "low-tide",
    title: "Low Tide",
    words: "Decaf that tastes like coffee. 250 g.",
    price: 1790,
    colours: ["#d98f7a", "#8c4334"],
  },
];

/** Prices that trigger sandbox scenarios: see docs/generated/sandbox.md. */
export const SANDBOX_SHELF: readonly Product[] = [
  voucher("declined", "Declined", "The bank declines: insufficient funds.", 14451),
  voucher("challenge", "Challenge", "The bank challenges the payer: 3D Secure.", 14418),
  voucher(
    "second-time",
    "Second time lucky",
    "Declined once, then approved. Try again in the frame or on the hosted page.",
    14419,
  ),
  voucher("disputed", "Disputed", "The payer's bank takes the money back a little later.", 14490),
  voucher("lost-line", "Lost line", "The acquirer's answer is lost, then recovered.", 14481),
  voucher("closed-account", "Closed account", "Approved by card; as a direct debit it fails later.", 11007),
  voucher("paid-automatically", "Paid automatically", "By PayID: paid after a few seconds.", 12000),
];

function voucher(id: string, title: string, words: string, price: number): Product {
  return { id, title, words, price, colours: ["#8a94a6", "#4a5363"], voucher: true };
}

export function findProduct(id: string): Product | undefined {
  return [...PRODUCTS, ...SANDBOX_SHELF].find((product) => product.id === id);
}

import { CARD, type Shop } from "./checkout.ts";
import { EXPIRY } from "./checkout-page.ts";

/** A page as a browser without scripts gets it; redirects are returned, not followed. */
export type Visited = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly state: string | undefined;
  readonly location: string | null;
};

export async function visitPage(
  shop: Pick<Shop, "hostedUrl">,
  address: string,
  form?: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Visited> {
  const url = new URL(address, shop.hostedUrl).href.replace("localhost", "127.0.0.1");
  const response = await fetch(url, {
    redirect: "manual",
    headers: { ...headers, ...(form === undefined ? {} : { origin: "null" }) },
    ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    state: /<main[^>]* data-state="(\w+)"/.exec(text)?.[1],
    location: response.headers.get("location"),
  };
}

/** The form fields of a valid card. */
export const CARD_FORM = {
  attempt: "0",
  number: CARD.number,
  expiry: EXPIRY,
  securityCode: CARD.securityCode,
} as const;

/** The value of a hidden field of the page. */
export function hiddenField({ text }: Pick<Visited, "text">, name: string): string | undefined {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1];
}

import { CARD, type Shop } from "./checkout.ts";
import { createHosted } from "./hosted-page.ts";

/** An amount that the sandbox declines with `D04405`. */
export const DECLINED = 14405;

export type Attempt = {
  readonly number?: string;
  readonly securityCode?: string;
  readonly amount?: number;
  /** What the browser claims to have shown, if not the amount. */
  readonly total?: number;
  /** What the attacker claims to come from. */
  readonly from?: string;
};

export type AttemptAnswer = {
  readonly status: number;
  readonly retryAfter: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
  readonly body: any;
  readonly milliseconds: number;
};

/** Makes attempts on new payment requests, so many at once. The answers are in the order of the attempts. */
export function attack(
  shop: Shop,
  attempts: readonly Attempt[],
  atOnce?: number,
): Promise<readonly AttemptAnswer[]> {
  return attackWith(attempts, (attempt) => attemptOnce(shop, attempt), atOnce);
}

/** Makes each attempt in this way, so many at once. */
export async function attackWith<One>(
  attempts: readonly One[],
  make: (attempt: One) => Promise<AttemptAnswer>,
  atOnce = 10,
): Promise<readonly AttemptAnswer[]> {
  const answers: AttemptAnswer[] = [];
  const waiting = attempts.entries();
  const lane = async () => {
    for (const [index, attempt] of waiting) answers[index] = await make(attempt);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return answers;
}

async function attemptOnce(shop: Shop, attempt: Attempt): Promise<AttemptAnswer> {
  const { number = CARD.number, securityCode = CARD.securityCode, amount = DECLINED, from } = attempt;
  const { total = amount } = attempt;
  const { hostedPaymentPage } = await createHosted(shop, { amount });
  const pageKey = new URL(hostedPaymentPage.url).pathname.split("/").at(-1);
  const begun = performance.now();
  const response = await fetch(`${shop.hostedUrl.replace("localhost", "127.0.0.1")}/checkout/pay`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-checkout-session": `page.${pageKey}.0`,
      ...(from === undefined ? {} : { "x-forwarded-for": from }),
    },
    body: JSON.stringify({
      method: "card",
      card: { ...CARD, number, securityCode },
      total,
      consent: false,
    }),
  });
  return {
    status: response.status,
    retryAfter: response.headers.get("retry-after"),
    body: await response.json(),
    milliseconds: performance.now() - begun,
  };
}

/** A card number that passes the Luhn check, the n-th of its BIN. */
export function cardOf(bin: string, n: number): string {
  const digits = `${bin}${String(n).padStart(15 - bin.length, "0")}`;
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** An event in one line: time, value, resource, status and amount. */
export function eventLine(body: string): string {
  const { created, event, payload } = JSON.parse(body) as {
    readonly created: string;
    readonly event: string;
    readonly payload: Payload;
  };
  const status = payload.paymentRequestStatus ?? payload.status ?? payload.result?.status ?? "";
  const code = payload.result?.codes?.[0]?.id;
  const { amount, currencyCode } = payload.payment ?? {};
  const money = amount === undefined ? "" : `${(amount / 100).toFixed(2)} ${currencyCode ?? ""}`;
  const parts = [
    created,
    event.padEnd(19),
    payload.id,
    `${status}${code === undefined ? "" : ` ${code}`}`.padEnd(16),
  ];
  return `${parts.join("  ")}  ${money}`.trimEnd();
}

type Payload = {
  readonly id: string;
  readonly paymentRequestStatus?: string;
  readonly status?: string;
  readonly payment?: { readonly amount?: number; readonly currencyCode?: string };
  readonly result?: { readonly status?: string; readonly codes?: readonly { readonly id: string }[] };
};

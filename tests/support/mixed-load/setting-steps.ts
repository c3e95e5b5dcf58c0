import { callApi, ok } from "../checkout.ts";
import { storedAccount } from "../debits.ts";
import { pick } from "../random.ts";
import { createSandboxToken, openWalletFrame, registerLocalhost, sendToken } from "../wallets.ts";
import { allow, atOnce, type Lane } from "./lane.ts";

/** Pays by Apple Pay or Google Pay, on a domain that is registered (again) before. */
export async function payByWallet({ at, random, counts, done }: Lane): Promise<void> {
  await registerLocalhost(at());
  const wallet = pick(random, ["apple_pay", "google_pay"] as const);
  const frame = await openWalletFrame(at());
  const token = await createSandboxToken(frame, wallet);
  const { state, transactionId } = ok(await sendToken(frame.at(at()), wallet, token));
  counts.payments += 1;
  if (state === "approved") done("card payments", transactionId);
}

/** Adds, tries, moves or deletes the merchant's second endpoint, which other lanes may do at the same time. */
export async function changeEndpoint({ at, random }: Lane): Promise<void> {
  const { webhooks } = ok(await callApi(at(), "GET", "/webhooks"));
  const [first, second] = ["*", "customers"].map((value) =>
    webhooks.find(({ event }: { readonly event: string }) => event === value),
  );
  const url = `${first.url}?${Math.floor(random() * 2 ** 32)}`;
  if (second === undefined) {
    allow(await callApi(at(), "POST", "/webhooks", { event: "customers", url }), 200, 409);
    return;
  }
  const path = `/webhooks/${second.id}`;
  const calls = [
    () => callApi(at(), "PUT", path, { url }),
    () => callApi(at(), "POST", `${path}/test`),
    () => callApi(at(), "DELETE", path),
  ];
  // Another lane may have deleted it.
  allow(await pick(random, calls)(), 200, 404, 409);
}

/** Requests that an event is delivered again. */
export async function redeliver({ at, random }: Lane): Promise<void> {
  const { events } = ok(await callApi(at(), "GET", "/events?limit=20"));
  if (events.length === 0) return;
  const { id } = pick(random, events as readonly { readonly id: string }[]);
  allow(await callApi(at(), "POST", `/events/${id}/redeliver`), 200, 409);
}

/** Changes an account's name in two calls at once. */
export async function changeAccount(lane: Lane): Promise<void> {
  const { at } = lane;
  lane.account ??= await storedAccount(at());
  const { id, paymentInstrumentId } = lane.account;
  const path = `/customers/${id}/paymentinstruments/${paymentInstrumentId}`;
  const change = (accountName: string) => callApi(at(), "PUT", path, { bankAccount: { accountName } });
  await atOnce([change("Ana Silva"), change("Ana Silva-Lee")], 200);
}

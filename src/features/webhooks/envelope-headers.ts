import type { Instant } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import { macOf } from "../../platform/crypto/secrets.ts";
import type { Tx } from "../../platform/db/database.ts";
import { purposeOfPassword } from "./settings.ts";
import { purposeOfKey } from "./signing-key.ts";
import type { CredentialHeader, Credentials, SigningKey } from "./webhook.ts";

/** What deliveries to a merchant are signed and signed in with, in clear. It lives in memory, while it is used. */
export type Seal = {
  readonly key: string;
  readonly previous: { readonly key: string; readonly until: Instant } | undefined;
  readonly credentials: { readonly header: CredentialHeader; readonly value: string } | undefined;
};

export async function openSeal(
  ctx: Context,
  tx: Tx,
  key: SigningKey,
  credentials: Credentials | undefined,
): Promise<Seal> {
  const { merchantId, sealedPrevious, previousUntil } = key;
  const open = (sealed: string) => ctx.sealedTexts.open(tx, purposeOfKey(merchantId), sealed);
  const previous =
    sealedPrevious === null || previousUntil === null
      ? undefined
      : { key: await open(sealedPrevious), until: previousUntil };
  return {
    key: await open(key.sealedKey),
    previous,
    credentials: credentials && (await openCredentials(ctx, tx, credentials)),
  };
}

async function openCredentials(
  ctx: Context,
  tx: Tx,
  { merchantId, username, sealedPassword, header }: Credentials,
): Promise<Seal["credentials"]> {
  if (username === null || sealedPassword === null) return undefined;
  const password = await ctx.sealedTexts.open(tx, purposeOfPassword(merchantId), sealedPassword);
  return { header, value: `Basic ${base64OfText(`${username}:${password}`)}` };
}

/**
 * Headers of one delivery. Both schemes sign the exact bytes of the body: `X-Signature` alone, and the Standard Webhooks
 * headers together with the event's id and the real time of sending.
 */
export function envelopeHeaders(
  seal: Seal,
  event: { readonly id: string; readonly body: string },
  sentAt: Instant,
  merchantsTime: Instant,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(sentAt / 1_000));
  const signed = `${event.id}.${timestamp}.${event.body}`;
  const previous =
    seal.previous !== undefined && seal.previous.until > merchantsTime ? seal.previous.key : undefined;
  const keys = previous === undefined ? [seal.key] : [seal.key, previous];
  return {
    "Content-Type": "application/json; charset=utf-8",
    "User-Agent": "Tidegate-Webhooks/1.0",
    "X-Signature": macOf(seal.key, event.body, "hex"),
    ...(previous === undefined ? {} : { "X-Signature-Previous": macOf(previous, event.body, "hex") }),
    "webhook-id": event.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": keys.map((key) => `v1,${macOf(key, signed, "base64")}`).join(" "),
    ...(seal.credentials === undefined ? {} : { [seal.credentials.header]: seal.credentials.value }),
  };
}

function base64OfText(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

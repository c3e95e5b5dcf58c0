import type { Instant } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import { macOf } from "../../platform/crypto/secrets.ts";
import type { Tx } from "../../platform/db/database.ts";
import { purposeOfPassword } from "./settings.ts";
import { purposeOfKey } from "./signing-key.ts";
import type { CredentialHeader, Credentials, SigningKey } from "./webhook.ts";

/** The keys that sign a merchant's deliveries and the credentials that they carry, in clear. They stay in memory only. */
export type SigningCredentials = {
  readonly key: string;
  readonly previous: { readonly key: string; readonly until: Instant } | undefined;
  readonly basicAuth: { readonly header: CredentialHeader; readonly value: string } | undefined;
};

export async function openSigningCredentials(
  ctx: Context,
  tx: Tx,
  key: SigningKey,
  credentials: Credentials | undefined,
): Promise<SigningCredentials> {
  const { merchantId, sealedPrevious, previousUntil } = key;
  const open = (sealed: string) => ctx.sealedTexts.open(tx, purposeOfKey(merchantId), sealed);
  const previous =
    sealedPrevious === null || previousUntil === null
      ? undefined
      : { key: await open(sealedPrevious), until: previousUntil };
  return {
    key: await open(key.sealedKey),
    previous,
    basicAuth: credentials && (await openBasicAuth(ctx, tx, credentials)),
  };
}

async function openBasicAuth(
  ctx: Context,
  tx: Tx,
  { merchantId, username, sealedPassword, header }: Credentials,
): Promise<SigningCredentials["basicAuth"]> {
  if (username === null || sealedPassword === null) return undefined;
  const password = await ctx.sealedTexts.open(tx, purposeOfPassword(merchantId), sealedPassword);
  return { header, value: `Basic ${base64OfText(`${username}:${password}`)}` };
}

/**
 * The headers of one delivery. `X-Signature` signs the exact bytes of the body; the Standard Webhooks headers sign them
 * together with the event's id and the real time of sending.
 */
export function envelopeHeaders(
  signing: SigningCredentials,
  event: { readonly id: string; readonly body: string },
  sentAt: Instant,
  merchantTime: Instant,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(sentAt / 1_000));
  const signed = `${event.id}.${timestamp}.${event.body}`;
  const previous =
    signing.previous !== undefined && signing.previous.until > merchantTime
      ? signing.previous.key
      : undefined;
  const keys = previous === undefined ? [signing.key] : [signing.key, previous];
  return {
    "Content-Type": "application/json; charset=utf-8",
    "User-Agent": "Tidegate-Webhooks/1.0",
    "X-Signature": macOf(signing.key, event.body, "hex"),
    ...(previous === undefined ? {} : { "X-Signature-Previous": macOf(previous, event.body, "hex") }),
    "webhook-id": event.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": keys.map((key) => `v1,${macOf(key, signed, "base64")}`).join(" "),
    ...(signing.basicAuth === undefined ? {} : { [signing.basicAuth.header]: signing.basicAuth.value }),
  };
}

function base64OfText(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

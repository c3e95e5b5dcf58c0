import { type Instant, parseDateTime } from "../../../kernel/time.ts";
import { parseAddressRange } from "../../../platform/http/address-ranges.ts";
import { ADDRESSES_AT_MOST, type KeyLimits } from "./api-key.ts";

export type KeyLimitTexts = {
  readonly expires?: string | undefined;
  readonly addresses?: string | undefined;
};

export type KeyLimitProblems = { readonly expires?: string; readonly addresses?: string };

/** The limits of a new key as a person typed them, or what is wrong with each. */
export function keyLimitsOf(
  texts: KeyLimitTexts,
  now: Instant,
): { readonly limits: KeyLimits } | { readonly problems: KeyLimitProblems } {
  const expiresAt = texts.expires === undefined ? null : parseDateTime(texts.expires.trim());
  const wrongTime = expiresAt === undefined || (expiresAt !== null && expiresAt <= now);
  const words = texts.addresses === undefined ? [] : texts.addresses.trim().split(/\s*[,\s]\s*/);
  const ranges = words.map(parseAddressRange);
  const addresses = [...new Set(ranges.filter((range) => range !== undefined))];
  const wrongAddresses = ranges.includes(undefined) || addresses.length > ADDRESSES_AT_MOST;
  if (expiresAt === undefined || wrongTime || wrongAddresses) {
    return {
      problems: {
        ...(wrongTime && {
          expires: "must be a future ISO 8601 time with a zone, such as 2027-06-30T12:00:00Z",
        }),
        ...(wrongAddresses && {
          addresses: `must be 1 to ${ADDRESSES_AT_MOST} IP addresses or CIDR ranges, such as 203.0.113.7,10.0.0.0/8`,
        }),
      },
    };
  }
  return { limits: { expiresAt, addresses } };
}

const TOKEN = /^tok_([0-9a-z]{29})_[A-Za-z0-9_-]{43}$/;

/** The public part of a one-time token: it names the merchant in the frame's address. The secret part never is in one. */
export function merchantHintOf(token: string): string | undefined {
  return TOKEN.exec(token)?.[1];
}

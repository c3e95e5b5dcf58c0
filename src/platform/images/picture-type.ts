const SIGNATURES: readonly (readonly [type: string, at: number, bytes: Buffer])[] = [
  ["image/png", 0, Buffer.from("89504e470d0a1a0a", "hex")],
  ["image/jpeg", 0, Buffer.from("ffd8ff", "hex")],
  ["image/gif", 0, Buffer.from("GIF87a")],
  ["image/gif", 0, Buffer.from("GIF89a")],
  ["image/webp", 8, Buffer.from("WEBP")],
  ["image/avif", 4, Buffer.from("ftypavif")],
];

/** The type of a picture by its bytes, whatever its server says; undefined for anything that is no plain picture. */
export function pictureType(bytes: Buffer): string | undefined {
  return SIGNATURES.find(([, at, signature]) =>
    bytes.subarray(at, at + signature.length).equals(signature),
  )?.[0];
}

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { decrypt, encrypt, keyedHash, newKey } from "./cipher.ts";

describe("CONTRACT 6: AES-256-GCM, bound to its row", () => {
  test("any bytes come back, for the same key and place alone", () => {
    const [key, other] = [newKey(), newKey()];
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), fc.string(), (bytes, place, elsewhere) => {
        const sealed = encrypt(key, bytes, place);
        assert.deepEqual([...(decrypt(key, sealed, place) ?? [])], [...bytes]);
        assert.equal(decrypt(other, sealed, place), undefined);
        if (elsewhere !== place) assert.equal(decrypt(key, sealed, elsewhere), undefined);
      }),
    );
  });

  test("any one bit that is another makes it fail", () => {
    const key = newKey();
    const sealed = encrypt(key, Buffer.from("4111111111111111"), "place");
    for (const part of ["nonce", "ciphertext"] as const) {
      for (let bit = 0; bit < sealed[part].length * 8; bit += 1) {
        const bytes = Uint8Array.from(sealed[part]);
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        assert.equal(decrypt(key, { ...sealed, [part]: bytes }, "place"), undefined, `${part} ${bit}`);
      }
    }
    assert.equal(decrypt(key, sealed, "place")?.toString(), "4111111111111111");
  });

  test("what is too short or too long is not opened", () => {
    const key = newKey();
    const { nonce, ciphertext } = encrypt(key, Buffer.from("1"), "place");
    for (const cut of [0, 1, 15, 16]) {
      assert.equal(decrypt(key, { nonce, ciphertext: ciphertext.subarray(0, cut) }, "place"), undefined);
    }
    assert.equal(
      decrypt(key, { nonce, ciphertext: Buffer.concat([ciphertext, Buffer.alloc(1)]) }, "place"),
      undefined,
    );
    for (const length of [0, 11, 13, 16]) {
      assert.equal(decrypt(key, { nonce: new Uint8Array(length), ciphertext }, "place"), undefined);
    }
  });

  test("no nonce comes twice in ten thousand", () => {
    const key = newKey();
    const nonces = new Set<string>();
    for (let index = 0; index < 10_000; index += 1) {
      nonces.add(Buffer.from(encrypt(key, Buffer.from("1"), "").nonce).toString("hex"));
    }
    assert.equal(nonces.size, 10_000);
  });

  test("a fingerprint is the same for the same key and number, and another for any other", () => {
    const [key, other] = [newKey(), newKey()];
    const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
    assert.equal(hex(keyedHash(key, "1")), hex(keyedHash(key, "1")));
    assert.equal(new Set([keyedHash(key, "1"), keyedHash(key, "2"), keyedHash(other, "1")].map(hex)).size, 3);
  });
});

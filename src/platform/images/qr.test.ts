import assert from "node:assert/strict";
import { test } from "node:test";
import decodeQR from "qr/decode.js";
import { qrPicture } from "./qr.ts";

test("what is drawn can be read again by a reader of QR codes", () => {
  const text = "otpauth://totp/Tidegate:mere%40shop.example?secret=GEZDGNBVGY3TQOJQ&issuer=Tidegate";
  const { size, path } = qrPicture(text);
  const scale = 4;
  const width = (size + 8) * scale;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, x = "", y = ""] of path.matchAll(/M(\d+) (\d+)/g)) {
    for (let down = 0; down < scale; down += 1) {
      for (let right = 0; right < scale; right += 1) {
        const at = ((Number(y) + 4) * scale + down) * width + (Number(x) + 4) * scale + right;
        data.fill(0, at * 4, at * 4 + 3);
      }
    }
  }
  assert.equal(decodeQR({ width, height: width, data }), text);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { readQr } from "../../../tests/support/read-qr.ts";
import { qrPicture } from "./qr.ts";

test("what is drawn can be read again by a reader of QR codes", () => {
  const text = "otpauth://totp/Tidegate:mere%40shop.example?secret=GEZDGNBVGY3TQOJQ&issuer=Tidegate";
  assert.equal(readQr(qrPicture(text)), text);
});

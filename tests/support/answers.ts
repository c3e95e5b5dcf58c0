import assert from "node:assert/strict";
import { CODES_BY_ID } from "../../src/kernel/codes/catalogue.ts";
import type { Answer } from "./calls.ts";
import { checkedCode } from "./codes.ts";

type Get = (name: string) => string | null | undefined;

/** A code alone, or a code at a field. */
export type Expected = string | readonly [code: string, field: string];

/** Asserts a refusal with exactly these codes, in the shape that every refusal has. */
export function assertRefused(answer: Answer, status: number, ...expected: readonly Expected[]): void {
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  assert.match(answer.headers.get("content-type") ?? "", /^application\/json; charset=utf-8$/);
  assert.match(answer.headers.get("x-request-id") ?? "", /^[\x21-\x7e]{1,64}$/);
  assertSecure((name) => answer.headers.get(name));
  assert.equal(answer.body.result.status, status >= 500 ? "system_error" : "validation_error");
  const codes = expected.map((one) => (typeof one === "string" ? [one] : one));
  assert.deepEqual(
    answer.body.result.codes.map(checkedCode),
    codes.map(([id, field]) => ({ id, message: messageOf(id), ...(field === undefined ? {} : { field }) })),
  );
}

function messageOf(id: string | undefined): string {
  const code = Object.entries(CODES_BY_ID).find(([name]) => name === id)?.[1];
  assert.ok(code, `the catalogue has no ${id}`);
  return code.message;
}

/** Asserts the security headers that every API answer carries. */
export function assertSecure(get: Get, { https = false }: { readonly https?: boolean } = {}): void {
  assert.equal(get("x-content-type-options"), "nosniff");
  assert.equal(get("cache-control"), "no-store");
  assert.equal(get("referrer-policy"), "no-referrer");
  assert.match(get("content-security-policy") ?? "", /frame-ancestors 'none'/);
  assert.doesNotMatch(get("content-security-policy") ?? "", /unsafe-/);
  assert.match(get("permissions-policy") ?? "", /camera=\(\).*usb=\(\)/);
  assert.equal(get("cross-origin-opener-policy"), "same-origin-allow-popups");
  assert.equal(get("x-powered-by") ?? null, null);
  assert.equal(get("server") ?? null, null);
  for (const name of ["origin", "methods", "headers", "credentials", "max-age"]) {
    const header = `access-control-${name === "max-age" ? name : `allow-${name}`}`;
    assert.equal(get(header) ?? null, null, header);
  }
  const hsts = get("strict-transport-security") ?? null;
  if (https) assert.match(hsts ?? "", /^max-age=\d{8,}/);
  else assert.equal(hsts, null);
}

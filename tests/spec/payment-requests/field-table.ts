import { test } from "node:test";
import type { CodeId } from "../../../src/kernel/codes/catalogue.ts";
import type { TestGateway } from "../../support/gateway.ts";
import { assertAccepted, assertEchoed, assertRefused } from "./request-assertions.ts";
import { type Body, withoutValue, withValue } from "./sample-requests.ts";

type Kind = "text" | "number" | "object" | "list";

/** One field of the request: accepted values, refused values, and the code of the refusal. */
export type Field = {
  readonly at: string;
  readonly code: CodeId;
  readonly kind: Kind;
  /** A valid request into which the values are put. */
  readonly base: () => Body;
  /** If absent, the request is refused with the field's code. */
  readonly required?: true;
  readonly accepts?: readonly unknown[];
  readonly refuses?: readonly unknown[];
  /** For a value that is returned differently. */
  readonly echo?: (value: unknown) => unknown;
  /** For values that require another change of the request. */
  readonly body?: (value: unknown) => Body;
};

/** A number with its JSON spelling: 1e3 and 1.0 are the numbers 1000 and 1 in another notation. */
export function written(text: string): unknown {
  return (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON(text);
}

const CONTROLS = ["\u0000", "\u0001", "\t", "\n", "\r", "\u001b", "\u007f", "\u0085", "\u009f"];
const BLANKS = [" ", "\u00a0", "\u200b", "\u3000", "\u2028", "\u202e", " \ufeff\u2060 "];
const LONE_SURROGATES = ["\ud800", "\udfff", "\udc00\ud800"];

/** Both sides of every limit of a text. An emoji is one character, though two UTF-16 units. */
export function textLimits(max: number, { empty = false } = {}) {
  return {
    accepts: [
      ...(empty ? ["", ...BLANKS] : []),
      "x",
      "\u3000x\u00a0",
      "x".repeat(max),
      "🌊".repeat(max),
      "é".repeat(max),
      "<b>\"'&\\/",
      "漢字 עברית \u202e",
    ],
    refuses: [
      ...(empty ? [] : ["", ...BLANKS]),
      "x".repeat(max + 1),
      "🌊".repeat(max + 1),
      `${"🌊".repeat(max)}x`,
      ...CONTROLS.map((control) => `a${control}b`),
      ...LONE_SURROGATES.map((surrogate) => `a${surrogate}b`),
    ],
  };
}

/** URLs that lead a payer back: those of the web, and those of apps. */
export const returnUrls = () => ({
  accepts: [
    ...WEB_URLS.accepts,
    "myapp://paid",
    "MyApp://paid?order=1#end",
    "com.shop.app+x-1://checkout/done",
    "com.example.app://paid",
    "com.example.app://",
    "myapp://",
    "myapp:///done",
    "tels://done",
    "mailtos://done",
    "msapp://done",
    "javascripts://done",
  ],
  refuses: [
    ...WEB_URLS.refuses,
    ...[
      "javascript",
      "JavaScript",
      "data",
      "file",
      "FILE",
      "blob",
      "vbscript",
      "VBScript",
      "filesystem",
      "about",
      "mailto",
      "MailTo",
      "tel",
      "TEL",
      "sms",
      "Sms",
      "smsto",
      "intent",
      "INTENT",
      "view-source",
      "View-Source",
      "ws",
      "WSS",
      "ftp",
      "FTP",
      "sftp",
      "ms-settings",
      "search-ms",
    ].map((scheme) => `${scheme}://x/%0aalert(1)`),
    "intent://done/#Intent;scheme=myapp;end",
    "sms:+61400000000",
    "about:blank",
    "view-source://https://shop.example",
    "blob:https://shop.example/1",
    "vbscript:msgbox(1)",
    "tel:+61400000000",
    "mailto:ann@example.com",
    "myapp:paid",
    "myapp:/paid",
    "my app://paid",
    "1app://paid",
    "://paid",
    "my_app://paid",
    "myapp://a b",
    "myapp://a\\b",
    "myapp://a\nb",
    " myapp://paid",
    "java\tscript://paid",
    "javascript\n://paid",
  ],
});

/** URLs that a payer's browser may be sent to or load from, and URLs that it must not. */
export const WEB_URLS = {
  accepts: [
    "https://shop.example",
    "http://shop.example/",
    "HTTPS://SHOP.EXAMPLE/done?order=1&x=%20#end",
    "https://shop.example:8443/a/b",
    "http://localhost:3000/done",
    "https://192.0.2.1/",
    "https://[2001:db8::1]/",
    "https://köln.example/straße",
    "https://shop.example/@ana?to=a@b#@",
    "https://shop.example?order=1",
    `https://shop.example/${"x".repeat(2048 - 21)}`,
  ],
  refuses: [
    "",
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "data:text/html,hello",
    "ftp://shop.example/",
    "file:///etc/passwd",
    "//shop.example/done",
    "/done",
    "shop.example",
    "https:shop.example",
    "https:/shop.example",
    "https://",
    "https:\\\\shop.example",
    "https://shop.example\\@other.example",
    "https://user:secret@shop.example/",
    "https://user@shop.example/",
    "https://@shop.example/",
    "https://:@shop.example/",
    "https:///shop.example/",
    "https://?shop.example",
    "https://#shop.example",
    "https://shop.example/a b",
    " https://shop.example/",
    "https://shop.example/ ",
    "https://shop.example/\n",
    "https://shop.example/\u0000",
    "https://shop.example/\ud800",
    "ht\ntps://shop.example/",
    "https://shop.example:99999/",
    "https://sh op.example/",
    "https://[::1/",
    `https://shop.example/${"x".repeat(2048 - 20)}`,
  ],
} as const;

/** One value of each JSON type. */
const OF_KIND: readonly (readonly [Kind | "other", unknown])[] = [
  ["other", null],
  ["other", true],
  ["number", 1],
  ["text", "1"],
  ["list", []],
  ["list", ["x"]],
  ["object", {}],
];

/** Tests one field: every accepted value, every refused value, every other type, and its absence. */
export function testField(gateway: () => TestGateway, field: Field): void {
  const { at, code, kind, base } = field;
  const bodyOf = field.body ?? ((value: unknown) => withValue(base(), at, value));
  for (const value of field.accepts ?? []) {
    test(`${at}: ${shown(value)} is accepted and returned`, async () => {
      const { body } = await assertAccepted(gateway(), bodyOf(value));
      assertEchoed(body, withValue({}, at, field.echo?.(value) ?? plain(value)));
    });
  }
  for (const value of field.refuses ?? []) {
    test(`${at}: ${shown(value)} is refused with ${code}`, async () => {
      await assertRefused(gateway(), withValue(base(), at, value), [[code, at]]);
    });
  }
  for (const [other, value] of OF_KIND) {
    if (other === kind) continue;
    test(`${at}: ${shown(value)} has the wrong type and is refused with ${code}`, async () => {
      await assertRefused(gateway(), withValue(base(), at, value), [[code, at]]);
    });
  }
  if (field.required !== true) return;
  test(`${at}: absent, it is refused with ${code}`, async () => {
    await assertRefused(gateway(), withoutValue(base(), at), [[code, at]]);
  });
}

/** The value of a written number. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value).replace(
    /[\u007f-\u00a0\u200b\u2028\u202e\u2060\u3000\ufeff]/g,
    (c) => `\\u${hex(c)}`,
  );
  return text.length <= 60
    ? text
    : `${Array.from(text).slice(0, 30).join("")}… (${Array.from(String(value)).length})`;
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, "0");
}

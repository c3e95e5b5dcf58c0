import { type CodeName, codeId } from "../../kernel/codes/catalogue.ts";
import { presentCode } from "../../kernel/codes/present-code.ts";
import {
  CODES_OF_EVERY_CHANGE,
  CODES_OF_EVERY_REQUEST,
  CODES_OF_NO_ROUTE,
} from "../../platform/http/route-codes.ts";
import { jsonText } from "../examples/literal.ts";
import { codeLink, type Html, html, joined, prose } from "./html.ts";

type Convention = {
  readonly id: string;
  readonly title: string;
  readonly paragraphs: readonly (string | Html)[];
};

const links = (codes: readonly string[]) => joined(codes.map(codeLink), ", ");

/** A number of the catalogue, as `prose` marks code. */
const inCode = (name: CodeName) => `\`${codeId(name)}\``;

const ERROR_EXAMPLE = jsonText({
  result: {
    mode: "sandbox",
    status: "validation_error",
    codes: [
      {
        ...presentCode("payment_request_amount_invalid", "https://pay.example"),
        field: "/payment/amount",
      },
    ],
  },
});

/** The rules of every call. */
export const CONVENTIONS: readonly Convention[] = [
  {
    id: "keys",
    title: "Keys and scopes",
    paragraphs: [
      "Send the merchant's API key in `X-Api-Key`. A key has scopes: `read` for reading, `write` for creating and changing, `admin` for the account itself.",
      "A key belongs on the merchant's server. The API refuses calls from a page in a browser.",
    ],
  },
  {
    id: "answers",
    title: "Requests and answers",
    paragraphs: [
      "Requests and answers are JSON in UTF-8; a request has at most 256 KiB. Success is HTTP 200, for creation too, and for a `pending` or `declined` payment: a decline is an answer, not an error.",
      "Every answer has `result` with `mode` (`sandbox` or `live`) and `status`, and the header `X-Request-Id`, which is also in the gateway's log. Send your own (up to 64 visible characters, no card number) and the gateway uses it.",
    ],
  },
  {
    id: "errors",
    title: "Errors",
    paragraphs: [
      "A refused call changes nothing. `result.codes` lists every problem at once: `detail` says in one sentence what to do, `docs` links to the code on the page of codes, and `field` is a JSON pointer to the field. Decide by `id` or `message`; the words of `detail` may change. Unknown fields and unknown query parameters are errors, because most of them are typos.",
      html`<pre tabindex="0"><code>${ERROR_EXAMPLE}</code></pre>`,
      `${inCode("system_error")} and ${inCode("system_unavailable")} are errors of the gateway: try again, after \`Retry-After\` if it is present.`,
    ],
  },
  {
    id: "metadata",
    title: "Metadata",
    paragraphs: [
      "`metadata` holds up to 20 pairs of your own: keys of 1 to 40 of `A-Za-z0-9_.-`, case-sensitive, values of up to 500 characters. Payment requests, transactions, refunds, customers and payment instruments take it; answers and events repeat it. A checkout's transaction inherits its request's. A `PUT` with `metadata` replaces all pairs.",
      "Lists take `metadata[key]=value` for one pair.",
    ],
  },
  {
    id: "idempotency",
    title: "Idempotency",
    paragraphs: [
      `Send \`X-Idempotency-Key\` (1 to 255 visible ASCII characters of your choice) with a POST, PUT or DELETE to make repeats safe: the first call that changes something uses the key, and every later one returns 409 ${inCode("header_idempotency_key_is_used")}, for at least 24 hours.`,
      "That answer has `original` with `requestId`, `status`, `id` and `location` of what the first call created. After a lost connection, send the same call again and read the resource at `location`. A refused call does not use the key.",
    ],
  },
  {
    id: "lists",
    title: "Lists",
    paragraphs: [
      "Lists are newest first. `limit` is 1 to 100 (default 20); pass `nextCursor` of one page as `cursor` to get the next, until it is null. `count` is the number of rows on the page. `createdFrom` is included, `createdTo` is not.",
    ],
  },
  {
    id: "values",
    title: "Money, time, ids",
    paragraphs: [
      "Money is a whole number of cents. Times are ISO 8601; answers are in UTC with milliseconds. Ids are opaque and case-sensitive, with a prefix for their type. Lengths count Unicode characters, and no text may contain control characters. Paths and names of query parameters are not case-sensitive.",
    ],
  },
  {
    id: "every-call",
    title: "Codes of every call",
    paragraphs: [
      html`Every call: ${links(CODES_OF_EVERY_REQUEST.map(codeId))}.`,
      html`A POST, PUT or DELETE: ${links(CODES_OF_EVERY_CHANGE.map(codeId))}.`,
      html`A path that the API does not have: ${links(CODES_OF_NO_ROUTE.map(codeId))}.`,
    ],
  },
];

export function conventionSection({ id, title, paragraphs }: Convention): Html {
  const content = paragraphs.map((one) => {
    if (typeof one === "string") return html`<p>${prose(one)}</p>\n`;
    return one.html.startsWith("<pre") ? one : html`<p>${one}</p>\n`;
  });
  return html`<section class="convention" id="${id}" aria-labelledby="${id}-title">
<h3 id="${id}-title"><a href="#${id}">${title}</a></h3>
${content}</section>
`;
}

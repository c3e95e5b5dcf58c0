import { codeId } from "../../kernel/codes/catalogue.ts";
import {
  CODES_OF_EVERY_CHANGE,
  CODES_OF_EVERY_REQUEST,
  CODES_OF_NO_ROUTE,
} from "../../platform/http/route-codes.ts";
import { codeLink, type Html, html, joined, prose } from "./html.ts";
import { jsonText } from "./json-text.ts";

type Convention = { readonly id: string; readonly title: string; readonly says: readonly (string | Html)[] };

const links = (codes: readonly string[]) => joined(codes.map(codeLink), ", ");

const ERROR_EXAMPLE = jsonText({
  result: {
    mode: "sandbox",
    status: "validation_error",
    codes: [
      {
        id: "payment_request_amount_invalid",
        message: "payment_request_amount_invalid",
        field: "/payment/amount",
      },
    ],
  },
});

/** What holds for every call, said once. */
export const CONVENTIONS: readonly Convention[] = [
  {
    id: "keys",
    title: "Keys and scopes",
    says: [
      "Send the merchant's API key in `X-Api-Key`. A key has scopes: `read` for reading, `write` for making and changing, `admin` for the account itself.",
      "A key belongs on the merchant's server. Calls from a page in a browser are refused.",
    ],
  },
  {
    id: "answers",
    title: "Requests and answers",
    says: [
      "JSON in UTF-8 both ways, at most 256 KiB. Success is HTTP 200, creation too. A `pending` or `declined` payment is a success as well: a decline is an answer, not an error.",
      "Every answer has `result` with `mode` (`sandbox` or `live`) and `status`, and the header `X-Request-Id`, which finds the call in the gateway's log. Send your own (up to 64 visible characters) and it is kept.",
    ],
  },
  {
    id: "errors",
    title: "Errors",
    says: [
      "Nothing has changed when a call is refused. `result.codes` names all that is wrong at once; `field` is a JSON pointer to the place. Unknown fields and unknown query parameters are errors: they are typos more often than not.",
      html`<pre><code>${ERROR_EXAMPLE}</code></pre>`,
      "`S10000` and `S10001` are ours: try again, as `Retry-After` says where it is given.",
    ],
  },
  {
    id: "idempotency",
    title: "Idempotency",
    says: [
      "Send `X-Idempotency-Key` (1 to 255 visible ASCII characters of your choice) with a POST, PUT or DELETE, and a repeat can do no harm: the first call that changes something uses the key up, and every later one is answered 409 `V10018`, for at least 24 hours.",
      "That answer has `original` with `requestId`, `status`, `id` and `location` of what the first call made. So after a broken connection, send the same call again and read from there. A refused call leaves the key free.",
    ],
  },
  {
    id: "lists",
    title: "Lists",
    says: [
      "Newest first. `limit` is 1 to 100 (20 when left out); pass `nextCursor` of one page as `cursor` to get the next, until it is null. `count` is the number of rows on the page. `createdFrom` is included, `createdTo` is not.",
    ],
  },
  {
    id: "values",
    title: "Money, time, ids",
    says: [
      "Money is a whole number of cents. Times are ISO 8601; answers are in UTC with milliseconds. Ids are opaque, keep their case and begin with what they name. Lengths count Unicode characters, and no text may hold control characters. Words of a path match in any case.",
    ],
  },
  {
    id: "every-call",
    title: "Codes of every call",
    says: [
      html`Every call: ${links(CODES_OF_EVERY_REQUEST.map(codeId))}.`,
      html`A POST, PUT or DELETE: ${links(CODES_OF_EVERY_CHANGE.map(codeId))}.`,
      html`An address that is none of the API's: ${links(CODES_OF_NO_ROUTE.map(codeId))}.`,
    ],
  },
];

export function conventionSection({ id, title, says }: Convention): Html {
  const paragraphs = says.map((one) => {
    if (typeof one === "string") return html`<p>${prose(one)}</p>\n`;
    return one.html.startsWith("<pre>") ? one : html`<p>${one}</p>\n`;
  });
  return html`<section class="convention" id="${id}" aria-labelledby="${id}-title">
<h3 id="${id}-title"><a href="#${id}">${title}</a></h3>
${paragraphs}</section>
`;
}

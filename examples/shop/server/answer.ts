import type { Html } from "../pages/html.ts";

/** The response to a page request or a form. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
};

export function page(content: Html, status = 200): Answer {
  return { status, headers: { "content-type": "text/html; charset=utf-8" }, body: content.html };
}

/** 303: the browser reads the next page with GET. */
export function seeOther(location: string): Answer {
  return { status: 303, headers: { location }, body: "" };
}

export function json(value: unknown): Answer {
  return { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(value) };
}

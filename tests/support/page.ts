import { SaxesParser } from "saxes";

export type Element = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** The text inside, that of inner elements included. */
  text: string;
};

/** Parses a page whose HTML is also XML: an unclosed tag or a stray `<` throws. */
export function readPage(html: string): readonly Element[] {
  const elements: Element[] = [];
  const open: Element[] = [];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, text: "" };
    elements.push(element);
    open.push(element);
  });
  parser.on("text", (text) => {
    for (const element of open) element.text += text;
  });
  parser.on("closetag", () => {
    open.pop();
  });
  parser.write(html).close();
  return elements;
}

export function valuesOf(elements: readonly Element[], attribute: string): readonly string[] {
  return elements.flatMap(({ attributes }) => attributes[attribute] ?? []);
}

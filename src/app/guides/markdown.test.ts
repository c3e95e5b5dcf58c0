import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { anchorOf, renderMarkdown } from "./markdown.ts";

const LINKS = (target: string) => (target.startsWith("gone") ? undefined : `/docs/${target}`);
const rendered = (text: string) => renderMarkdown(text, LINKS).html.replaceAll("\n", "");

describe("guides: Markdown becomes a page", () => {
  test("paragraphs join their lines; code, bold words and links stand inside them", () => {
    assert.equal(
      rendered("One **bold** `co**de` and\na [link `x`](y) and <https://z.example/?a&b>.\n\nTwo."),
      '<p>One <strong>bold</strong> <code>co**de</code> and a <a href="/docs/y">link <code>x</code></a> and <a href="https://z.example/?a&amp;b">https://z.example/?a&amp;b</a>.</p><p>Two.</p>',
    );
  });

  test("a link to what is not served keeps its words alone", () => {
    assert.equal(rendered("[code](gone.ts)"), "<p>code</p>");
  });

  test("no tag and no attribute of a page comes through", () => {
    assert.equal(
      rendered('<script>alert(1)</script> [x"onclick="y](z"onload="w)'),
      '<p>&lt;script&gt;alert(1)&lt;/script&gt; <a href="/docs/z&quot;onload=&quot;w">x&quot;onclick=&quot;y</a></p>',
    );
  });

  test("headings can be linked to, whatever they hold", () => {
    assert.equal(rendered("# Title"), "<h1>Title</h1>");
    assert.equal(rendered("## `a` & b"), '<h2 id="a-b"><a href="#a-b"><code>a</code> &amp; b</a></h2>');
    assert.equal(anchorOf("Where the payer ends"), "where-the-payer-ends");
  });

  test("code between fences stays as it is, also inside a list", () => {
    assert.equal(
      rendered("```sh\n# not *a* heading <b>\n```"),
      '<pre tabindex="0"><code># not *a* heading &lt;b&gt;</code></pre>',
    );
    assert.equal(
      rendered(
        "1. First:\n\n   <!-- not run: why -->\n   ```sh\n   a\n     b\n   ```\n\n2. Second\n   goes on.",
      ),
      '<ol><li><p>First:</p><pre tabindex="0"><code>a  b</code></pre></li><li>Second goes on.</li></ol>',
    );
  });

  test("lists and paragraphs end where the other begins", () => {
    assert.equal(
      rendered("Before:\n- one\n- two\n\nAfter."),
      "<p>Before:</p><ul><li>one</li><li>two</li></ul><p>After.</p>",
    );
  });

  test("tables have their heads, or none; a bar can stand in a cell", () => {
    assert.match(
      rendered("| A | B |\n|---|---|\n| `x \\| y` | z |"),
      /<th scope="col">A<\/th>.*<td><code>x \| y<\/code><\/td><td>z<\/td>/,
    );
    assert.doesNotMatch(rendered("| | |\n|---|---|\n| a | b |"), /<th/);
  });
});

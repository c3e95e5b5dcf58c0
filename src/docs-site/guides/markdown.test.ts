import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { anchorOf } from "./anchor.ts";
import { renderMarkdown, summarise } from "./markdown.ts";

const LINKS = (target: string) => {
  if (target.startsWith("https:")) return target;
  return target.startsWith("gone") ? undefined : `/docs/${target}`;
};
const rendered = (text: string) =>
  renderMarkdown(text, LINKS, "https://pay.example").html.replaceAll("\n", "");

describe("guides: Markdown becomes a page", () => {
  test("joins the lines of a paragraph and renders code, bold words and links in it", () => {
    assert.equal(
      rendered("One **bold** `co**de` and\na [link `x`](y) and <https://z.example/?a&b>.\n\nTwo."),
      '<p>One <strong>bold</strong> <code>co**de</code> and a <a href="/docs/y">link <code>x</code></a> and <a href="https://z.example/?a&amp;b">https://z.example/?a&amp;b</a>.</p><p>Two.</p>',
    );
  });

  test("replaces a link to something that is not served with its text", () => {
    assert.equal(
      rendered("[`code`](gone.ts) and [more](y)"),
      '<p><code>code</code> and <a href="/docs/y">more</a></p>',
    );
  });

  test("lets no tag, no attribute and no script address through", () => {
    assert.equal(
      rendered('<script>alert(1)</script> [x"onclick="y](z"onload="w)'),
      '<p>&lt;script&gt;alert(1)&lt;/script&gt; <a href="/docs/z%22onload=%22w">x&quot;onclick=&quot;y</a></p>',
    );
    assert.equal(
      rendered("<div>\n\n<img src=x onerror=y>"),
      "<p>&lt;div&gt;</p><p>&lt;img src=x onerror=y&gt;</p>",
    );
    assert.equal(rendered("[x](javascript:alert(1))"), "<p>[x](javascript:alert(1))</p>");
    assert.equal(rendered("![x](y.png)"), '<p>!<a href="/docs/y.png">x</a></p>');
  });

  test("adds an anchor to every heading below the title, whatever it contains", () => {
    assert.equal(rendered("# Title"), "<h1>Title</h1>");
    assert.equal(rendered("## `a` & b"), '<h2 id="a-b"><a href="#a-b"><code>a</code> &amp; b</a></h2>');
    assert.equal(rendered("### C"), '<h3 id="c"><a href="#c">C</a></h3>');
    assert.equal(anchorOf("Where the payer ends"), "where-the-payer-ends");
  });

  test("leaves code blocks as they are, also inside a list", () => {
    assert.equal(
      rendered("```sh\n# not *a* heading <b>\n```"),
      '<pre tabindex="0"><code># not *a* heading &lt;b&gt;</code></pre>',
    );
    assert.equal(rendered("    a <b>"), '<pre tabindex="0"><code>a &lt;b&gt;</code></pre>');
    assert.equal(
      rendered(
        "1. First:\n\n   <!-- not run: why -->\n   ```sh\n   a\n     b\n   ```\n\n2. Second\n   goes on.",
      ),
      '<ol><li><p>First:</p><pre tabindex="0"><code>a  b</code></pre></li><li><p>Second goes on.</p></li></ol>',
    );
  });

  test("hides comments outside code blocks", () => {
    assert.equal(
      rendered("One.\n\n<!-- not run: why -->\n```html\n<!-- kept -->\n```"),
      '<p>One.</p><pre tabindex="0"><code>&lt;!-- kept --&gt;</code></pre>',
    );
    assert.equal(rendered("<!-- a -->\nOne.\n<!-- b -->"), "<p>One.</p>");
  });

  test("ends a paragraph where a list begins, and a list where a paragraph begins", () => {
    assert.equal(
      rendered("Before:\n- one\n- two\n\nAfter."),
      "<p>Before:</p><ul><li>one</li><li>two</li></ul><p>After.</p>",
    );
  });

  test("renders tables with scoped headers and escaped bars", () => {
    assert.equal(
      rendered("| A | B |\n|---|---|\n| `x \\| y` | z |"),
      '<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">A</th><th scope="col">B</th></tr></thead><tbody><tr><td><code>x | y</code></td><td>z</td></tr></tbody></table></div>',
    );
  });

  test("renders no empty header: a cell instead, or no header row if all are empty", () => {
    assert.match(
      rendered("| | B |\n|---|---|\n| a | b |"),
      /<thead><tr><td><\/td><th scope="col">B<\/th><\/tr><\/thead>/,
    );
    assert.doesNotMatch(rendered("| | |\n|---|---|\n| a | b |"), /<th/);
    assert.match(
      rendered("| | |\n|---|---|\n| a | b |\n\n| C |\n|---|\n| c |"),
      /<td>b<\/td>.*<th scope="col">C<\/th>/,
    );
  });

  test("writes no inline style, which the content security policy would block", () => {
    assert.doesNotMatch(rendered("| A | B |\n|:--|--:|\n| a | b |"), /style/);
  });
});

describe("guides: a page's summary", () => {
  test("is its title and its first paragraph, without markup", () => {
    assert.deepEqual(summarise("# The `x` [page](y)\n\nIt **does**\nthis.\n\nMore.\n"), {
      title: "The x page",
      lead: "It does this.",
    });
  });

  test("skips the source of a generated page", () => {
    assert.equal(
      summarise("# T\n\nMade from [x](y) by `z`.\n\nEvery code.\n\n| A |\n|---|\n").lead,
      "Every code.",
    );
  });
});

import { describe } from "node:test";
import { testTwins } from "../../../tests/support/sample-logos.ts";

describe("CSS loads nothing, in a sheet or an attribute", () => {
  testTwins([
    [
      "an import",
      `<style>@import url(http://evil.example/a.css);</style>`,
      `<style>@media print{a{fill:red}}</style>`,
    ],
    ["an import of a string", `<style>@import "http://evil.example/a.css";</style>`, undefined],
    ["an import in capitals", `<style>@IMPORT 'a.css';</style>`, undefined],
    [
      "an import in CDATA",
      `<style><![CDATA[@import 'a.css';]]></style>`,
      `<style><![CDATA[a>b{fill:red}]]></style>`,
    ],
    [
      "an import around CDATA",
      `<style>@im<![CDATA[po]]>rt 'a.css';</style>`,
      `<style>a{fi<![CDATA[ll:r]]>ed}</style>`,
    ],
    [
      "an import around a comment of XML",
      `<style>@im<!-- -->port 'a.css';</style>`,
      `<style>a{fi<!-- -->ll:red}</style>`,
    ],
    ["an import in references", `<style>&#64;import 'a.css';</style>`, `<style>a&#62;b{fill:red}</style>`],
    ["an import with an escape", `<style>@\\69mport 'a.css';</style>`, undefined],
    [
      "an import in the second sheet",
      `<style>a{}</style><style>@import 'a.css';</style>`,
      `<style>a{}</style><style>b{}</style>`,
    ],
    [
      "an import by prefix",
      `<x:style xmlns:x="http://www.w3.org/2000/svg">@import 'a';</x:style>`,
      `<x:style xmlns:x="http://www.w3.org/2000/svg">a{}</x:style>`,
    ],
    [
      "a sheet between strings that look like comments",
      `<style>a{b:"/*"}@import 'x';c{d:"*/"}</style>`,
      `<style>a{b:"/*"}c{d:"*/"}</style>`,
    ],
    ["a namespace", `<style>@namespace "http://www.w3.org/1999/xhtml";</style>`, undefined],
    [
      "a font",
      `<style>@font-face{font-family:x;src:url(http://evil.example/f)}</style>`,
      `<style>a{font-family:x}</style>`,
    ],
    ["a font of data", `<style>@font-face{src:url(data:font/woff2;base64,AAAA)}</style>`, undefined],
    [
      "a sheet with an address",
      `<style>a{fill:url(http://evil.example/#a)}</style>`,
      `<style>a{fill:url(#a)}</style>`,
    ],
    [
      "an address in quotes",
      `<style>a{fill:url("http://evil.example/#a")}</style>`,
      `<style>a{fill:url( "#a" )}</style>`,
    ],
    ["a style attribute", `<g style="fill:url(//evil.example/)"/>`, `<g style="fill:url('#a') red"/>`],
    ["an address in capitals", `<g style="fill:URL(x.svg#a)"/>`, `<g style="fill:URL(#a)"/>`],
    [
      "an address in references",
      `<g style="fill:&#117;rl(&#104;ttp://evil.example)"/>`,
      `<g style="fill:&#117;rl(&#35;a)"/>`,
    ],
    ["an address with an escape", `<g style="fill:u\\72l(http://evil.example)"/>`, undefined],
    ["an escaped parenthesis", `<g style="fill:url\\28 x)"/>`, undefined],
    [
      "an address with a comment within the word",
      `<g style="fill:u/**/rl(http://evil.example)"/>`,
      `<g style="fill:r/**/ed"/>`,
    ],
    ["a comment before the mark", `<g style="fill:url(/**/#a)"/>`, `<g style="fill:/**/url(#a)"/>`],
    ["an address in a comment", `<g style="fill:red;/* url(x) */"/>`, `<g style="fill:red;/* x */"/>`],
    ["an address in a string", `<g style="font-family:'url(x)'"/>`, `<g style="font-family:'x'"/>`],
    ["an address around a local one", `<g style="fill:url(xurl(#a))"/>`, `<g style="fill:url(#a)url(#a)"/>`],
    [
      "two addresses, the second one bad",
      `<g style="fill:url(#a);stroke:url(b)"/>`,
      `<g style="fill:url(#a);stroke:url(#b)"/>`,
    ],
    ["an address that is never closed", `<g style="fill:url(#a"/>`, undefined],
    ["mixed quotes", `<g style='fill:url("#a)'/>`, undefined],
    ["fill", `<g fill="url(http://evil.example/#a)"/>`, `<g fill="url(#a)"/>`],
    ["stroke", `<g stroke="url(a.svg#a)"/>`, `<g stroke="url(#a) none"/>`],
    ["filter", `<g filter="url(http://evil.example/#a)"/>`, `<g filter="url(#a) drop-shadow(0 0 2px red)"/>`],
    ["mask", `<g mask="url(http://evil.example/#a)"/>`, `<g mask="url(#a)"/>`],
    ["clip-path", `<g clip-path="url(http://evil.example/#a)"/>`, `<g clip-path="circle(5px)"/>`],
    ["marker-end", `<path marker-end="url(http://evil.example/#a)"/>`, `<path marker-end="url(#a)"/>`],
    ["cursor", `<g cursor="url(http://evil.example/c.cur), auto"/>`, `<g cursor="pointer"/>`],
    [
      "an image set",
      `<g style="background:image-set('http://evil.example/a.png' 1x)"/>`,
      `<g style="background:rgb(1 2 3)"/>`,
    ],
    ["an image set with a vendor's prefix", `<g style="mask:-webkit-image-set('a.png' 1x)"/>`, undefined],
    ["src()", `<g style="background:src('http://evil.example/')"/>`, undefined],
    ["image()", `<g style="background:image('http://evil.example/')"/>`, undefined],
    ["cross-fade()", `<g style="background:cross-fade('a.png','b.png')"/>`, undefined],
    ["element()", `<g style="background:element(#a)"/>`, undefined],
    ["attr()", `<g style="background:attr(data-x url)"/>`, `<g style="background:var(--x)"/>`],
    ["an address in a variable", `<g style="--x:url(http://evil.example/)"/>`, `<g style="--x:url(#a)"/>`],
    ["expression()", `<g style="width:expression(alert(1))"/>`, `<g style="width:calc(1px + 2px)"/>`],
    ["expression() around a comment", `<g style="width:exp/**/ression(alert(1))"/>`, undefined],
    ["a script address", `<g style="fill:url(javascript:alert(1))"/>`, undefined],
    ["a behaviour", `<g style="behavior:url(x.htc)"/>`, `<g style="scroll-behavior:smooth"/>`],
    ["a binding", `<g style="-moz-binding:url(x.xml#y)"/>`, `<g style="-moz-user-select:none"/>`],
    ["a function that is not on the list", `<g style="fill:paint(x)"/>`, `<g style="fill:rgb(1 2 3)"/>`],
    [
      "an at-rule that is not on the list",
      `<style>@layer a{}</style>`,
      `<style>@supports (fill:red){a{}}</style>`,
    ],
    [
      "a backslash in any attribute that may be CSS",
      `<g fill="\\72 ed"/>`,
      `<g data-name="C:\\logo" fill="red"/>`,
    ],
  ]);
});

describe("text that only looks like CSS is accepted", () => {
  testTwins([
    [
      "an address",
      `<style>url(x)</style>`,
      `<text id="url(x)" class="@a">url(x) @import \\ <tspan>/*</tspan></text>`,
    ],
  ]);
});

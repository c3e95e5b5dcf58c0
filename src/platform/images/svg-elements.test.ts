import { describe } from "node:test";
import { testTwins } from "../../../tests/support/sample-logos.ts";

const SVG = "http://www.w3.org/2000/svg";
const XHTML = "http://www.w3.org/1999/xhtml";

describe("only elements that draw a still picture", () => {
  testTwins([
    ["a script", `<script>alert(1)</script>`, `<desc>script: alert(1)</desc>`],
    ["an empty script with a source", `<script href="#a"/>`, `<use href="#a"/>`],
    [
      "a script in CDATA",
      `<script><![CDATA[alert(1)]]></script>`,
      `<desc><![CDATA[<script>alert(1)</script>]]></desc>`,
    ],
    [
      "a script deep within",
      `<defs><g><symbol><script/></symbol></g></defs>`,
      `<defs><g><symbol><path/></symbol></g></defs>`,
    ],
    [
      "a script with a prefix for SVG",
      `<x:script xmlns:x="${SVG}">alert(1)</x:script>`,
      `<x:rect xmlns:x="${SVG}"/>`,
    ],
    [
      "a prefix that changes its meaning further in",
      `<x:a xmlns:x="urn:x"><x:script xmlns:x="${SVG}"/></x:a>`,
      `<x:a xmlns:x="urn:x"><x:rect xmlns:x="${SVG}"/></x:a>`,
    ],
    [
      "a namespace written with references",
      `<x:script xmlns:x="&#104;ttp://www.w3.org/2000/svg"/>`,
      undefined,
    ],
    ["SCRIPT in capitals", `<SCRIPT>alert(1)</SCRIPT>`, undefined],
    ["an element of SVG in capitals", `<RECT/>`, `<rect/>`],
    ["a script of HTML", `<script xmlns="${XHTML}">alert(1)</script>`, undefined],
    ["a script of HTML by prefix", `<h:script xmlns:h="${XHTML}"/>`, `<h:note xmlns:h="urn:notes"/>`],
    [
      "a script in no namespace, which is one to an HTML parser",
      `<script xmlns="">alert(1)</script>`,
      undefined,
    ],
    ["a script of an unknown vocabulary", `<e:script xmlns:e="urn:e"/>`, `<e:layer xmlns:e="urn:e"/>`],
    ["an unknown vocabulary without prefix", `<img xmlns="urn:e"/>`, `<e:img xmlns:e="urn:e"/>`],
    [
      "HTML within metadata",
      `<metadata><h:img xmlns:h="${XHTML}"/></metadata>`,
      `<metadata><e:img xmlns:e="urn:e"/></metadata>`,
    ],
    ["HTML in capitals", `<h:p xmlns:h="HTTP://WWW.W3.ORG/1999/XHTML"/>`, undefined],
    ["MathML", `<m:maction xmlns:m="http://www.w3.org/1998/Math/MathML"/>`, `<m:maction xmlns:m="urn:m"/>`],
    ["XInclude", `<i:include xmlns:i="http://www.w3.org/2001/XInclude"/>`, `<i:include xmlns:i="urn:i"/>`],
    ["XSLT", `<t:value-of xmlns:t="http://www.w3.org/1999/XSL/Transform"/>`, undefined],
    ["XML Events", `<v:event xmlns:v="http://www.w3.org/2001/xml-events"/>`, undefined],
    ["XBL", `<b:bindings xmlns:b="http://www.mozilla.org/xbl"/>`, undefined],
    ["VML", `<v:shape xmlns:v="urn:schemas-microsoft-com:vml"/>`, undefined],
    [
      "foreign content",
      `<foreignObject><p xmlns="${XHTML}">x</p></foreignObject>`,
      `<switch><text>x</text></switch>`,
    ],
    ["empty foreign content", `<foreignObject/>`, `<g/>`],
    ["a link", `<a href="#b"><path/></a>`, `<g><path/></g>`],
    [
      "a link to a script",
      `<a xlink:href="javascript:alert(1)"><text>x</text></a>`,
      `<text>javascript:alert(1)</text>`,
    ],
    ["an animation", `<rect><animate attributeName="x" to="5"/></rect>`, `<rect x="5"/>`],
    ["a motion", `<rect><animateMotion path="M0 0"/></rect>`, `<rect><title>M0 0</title></rect>`],
    ["a turn", `<rect><animateTransform attributeName="transform"/></rect>`, `<rect transform="rotate(5)"/>`],
    [
      "a reference set later",
      `<use href="#a"><set attributeName="href" to="http://evil.example/"/></use>`,
      `<use href="#a"/>`,
    ],
    ["a handler set later", `<set attributeName="onmouseover" to="alert(1)"/>`, undefined],
    ["a discarded element", `<discard begin="1s"/>`, undefined],
    ["a frame", `<iframe src="#a"/>`, undefined],
    ["an embedded page", `<embed src="#a"/>`, undefined],
    ["an object", `<object data="x"/>`, undefined],
    ["sound", `<audio/>`, undefined],
    ["a film", `<video/>`, undefined],
    ["a drawing surface", `<canvas/>`, undefined],
    ["a handler of SVG Tiny", `<handler type="application/ecmascript">alert(1)</handler>`, undefined],
    ["a listener of SVG Tiny", `<listener handler="#h"/>`, undefined],
    ["text by reference", `<text><tref xlink:href="#t"/></text>`, `<text><tspan>t</tspan></text>`],
    ["a font from elsewhere", `<font-face><font-face-src/></font-face>`, undefined],
    ["a cursor from elsewhere", `<cursor/>`, undefined],
    ["a link to a style sheet", `<link rel="stylesheet" href="#a"/>`, undefined],
    ["an unknown element", `<flowRoot/>`, `<text/>`],
    [
      "markup in a title, where an HTML parser reads HTML",
      `<title><style><!--</style><p/>--></style></title>`,
      `<title>style</title>`,
    ],
    ["markup in a description", `<desc><g/></desc>`, `<desc>g</desc>`],
    ["markup in a style sheet", `<style>a<g/>{}</style>`, `<style>a{}</style>`],
    ["an editor's style sheet", `<e:style xmlns:e="urn:e">x</e:style>`, `<e:look xmlns:e="urn:e">x</e:look>`],
  ]);
});

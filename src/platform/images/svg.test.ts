import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { dataUri, inspectSvgText, svg, testTwins } from "../../../tests/support/sample-logos.ts";
import { inspectLogo } from "./inspect-logo.ts";

const SVG = "http://www.w3.org/2000/svg";

describe("an SVG as designers' tools export it is accepted", () => {
  const exports: Record<string, string> = {
    Illustrator: `<?xml version="1.0" encoding="utf-8"?>
<!-- Generator: Adobe Illustrator 27.0.0, SVG Export Plug-In . SVG Version: 6.00 Build 0)  -->
<svg version="1.1" id="Layer_1" xmlns="${SVG}" xmlns:xlink="http://www.w3.org/1999/xlink" x="0px" y="0px"
  viewBox="0 0 64 64" style="enable-background:new 0 0 64 64;" xml:space="preserve">
<style type="text/css">
  .st0{clip-path:url(#SVGID_2_);}
  .st1{fill:url(#SVGID_3_);stroke:#FFFFFF;stroke-miterlimit:10;}
  .st2{font-family:'MyriadPro-Regular';}
</style>
<g><defs><rect id="SVGID_1_" width="64" height="64"/></defs>
<clipPath id="SVGID_2_"><use xlink:href="#SVGID_1_"  style="overflow:visible;"/></clipPath>
<linearGradient id="SVGID_3_" gradientUnits="userSpaceOnUse" x1="0" x2="64" gradientTransform="matrix(1 0 0 -1 0 66)">
<stop  offset="0" style="stop-color:#00A99D"/></linearGradient>
<g class="st0"><path class="st1" d="M32,8c-13.3,0-24,10.7-24,24S18.7,56,32,56z"/></g>
<text transform="matrix(1 0 0 1 4 60)" class="st2">Tide &amp; Gate</text></g></svg>`,
    Inkscape: `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Created with Inkscape (http://www.inkscape.org/) -->
<svg xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:cc="http://creativecommons.org/ns#"
  xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:svg="${SVG}" xmlns="${SVG}"
  xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
  xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" width="210mm" height="297mm" id="svg8"
  inkscape:export-filename="C:\\Users\\me\\logo.png" sodipodi:docname="logo.svg">
<sodipodi:namedview id="base" pagecolor="#ffffff" inkscape:zoom="0.35"><inkscape:grid type="xygrid"/></sodipodi:namedview>
<metadata id="metadata5"><rdf:RDF><cc:Work rdf:about=""><dc:format>image/svg+xml</dc:format>
<dc:type rdf:resource="http://purl.org/dc/dcmitype/StillImage" /><dc:title></dc:title></cc:Work></rdf:RDF></metadata>
<defs><inkscape:path-effect effect="spiro" id="pe1"/><radialGradient id="r1" xlink:href="#l1"
  xmlns:xlink="http://www.w3.org/1999/xlink"/><linearGradient id="l1"><stop offset="0"/></linearGradient></defs>
<g inkscape:label="Layer 1" inkscape:groupmode="layer"><path style="opacity:1;fill:url(#r1);-inkscape-stroke:none"
  d="M 10,10 H 90" sodipodi:nodetypes="cc"/></g></svg>`,
    Figma: `<svg width="48" height="48" viewBox="0 0 48 48" fill="none" xmlns="${SVG}">
<g clip-path="url(#clip0_1_2)"><mask id="mask0_1_2" style="mask-type:luminance" maskUnits="userSpaceOnUse">
<path d="M48 0H0V48H48V0Z" fill="white"/></mask><g mask="url(#mask0_1_2)" filter="url(#filter0_d_1_2)">
<path fill-rule="evenodd" d="M24 48Z" fill="url(#paint0_linear_1_2)" style="mix-blend-mode:multiply"/></g></g>
<defs><filter id="filter0_d_1_2" color-interpolation-filters="sRGB"><feFlood flood-opacity="0" result="BackgroundImageFix"/>
<feColorMatrix in="SourceAlpha" type="matrix" values="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 127 0" result="hardAlpha"/>
<feOffset dy="4"/><feGaussianBlur stdDeviation="2"/><feComposite in2="hardAlpha" operator="out"/>
<feBlend mode="normal" in2="BackgroundImageFix" result="effect1_dropShadow_1_2"/></filter>
<linearGradient id="paint0_linear_1_2"><stop stop-color="#fff" stop-opacity="0.5"/></linearGradient>
<clipPath id="clip0_1_2"><rect width="48" height="48" rx="24" fill="white"/></clipPath></defs></svg>`,
    "a favicon for light and dark": `<svg xmlns="${SVG}" viewBox="0 0 8 8" role="img" aria-label="Tide (Sydney)">
<title>Tide</title><desc>A wave, not "url(http://x)"</desc><style><![CDATA[/* our colours */ :root{--ink:#123}
path:not(.b){fill:var(--ink)} @media (prefers-color-scheme: dark) and (min-width: 1px){path{fill:rgb(255 255 255 / .9)}}
]]></style><path d="M0 0h8"/></svg>`,
    "the least": `<svg xmlns="${SVG}"/>`,
    "one with a byte order mark": `\uFEFF<?xml version="1.0"?><svg xmlns="${SVG}"/>`,
  };
  for (const [name, text] of Object.entries(exports))
    test(name, () => assert.equal(inspectSvgText(text), undefined));
});

describe("an SVG is well-formed XML in UTF-8", () => {
  const root = `<svg xmlns="${SVG}"/>`;
  testTwins([
    ["an element left open", `<g>`, `<g></g>`, "bytes_invalid"],
    ["elements that cross", `<g><path></g></path>`, `<g><path></path></g>`, "bytes_invalid"],
    ["two roots", `${root}${root}`, root, "bytes_invalid"],
    ["text after the root", `${root}<b`, `${root}\n`, "bytes_invalid"],
    ["an attribute without quotes", `<g id=a/>`, `<g id="a"/>`, "bytes_invalid"],
    ["an attribute twice", `<g id="a" id="b"/>`, `<g id="a"/>`, "bytes_invalid"],
    [
      "an attribute twice by two prefixes of one namespace",
      `<g xmlns:x="urn:x" xmlns:y="urn:x" x:a="" y:a=""/>`,
      `<g xmlns:x="urn:x" xmlns:y="urn:y" x:a="" y:a=""/>`,
      "bytes_invalid",
    ],
    ["a prefix that is not bound", `<x:g/>`, `<x:g xmlns:x="urn:x"/>`, "bytes_invalid"],
    ["an entity that is not defined", `<text>&nbsp;</text>`, `<text>&#160;</text>`, "bytes_invalid"],
    ["a null byte", `<text>a\0b</text>`, `<text>ab</text>`, "bytes_invalid"],
    ["a reference to a null", `<text>&#0;</text>`, `<text>&#48;</text>`, "bytes_invalid"],
    ["two byte order marks", `\uFEFF\uFEFF${root}`, `\uFEFF${root}`, "bytes_invalid"],
    [
      "an XML declaration after a blank",
      ` <?xml version="1.0"?>${root}`,
      `<?xml version="1.0"?> ${root}`,
      "bytes_invalid",
    ],
    ["XML 1.1", `<?xml version="1.1"?>${root}`, `<?xml version="1.0"?>${root}`, "bytes_invalid"],
    ["a root of another name", `<html><svg xmlns="${SVG}"/></html>`, root, "bytes_invalid"],
    ["a root in no namespace", `<svg/>`, root, "bytes_invalid"],
    ["a root in another namespace", `<svg xmlns="http://www.w3.org/1999/xhtml"/>`, root, "bytes_invalid"],
    ["an HTML page", `<!doctype html><html><svg></svg></html>`, root, "bytes_invalid"],
  ]);

  for (const encoding of ["utf-16", "utf-7", "iso-2022-jp", "shift_jis", "windows-1252", "x-user-defined"]) {
    test(`a declared encoding of ${encoding}, which a browser would obey, is refused`, () => {
      assert.equal(inspectSvgText(`<?xml version="1.0" encoding="${encoding}"?>${root}`), "bytes_invalid");
      assert.equal(inspectSvgText(`<?xml version="1.0" encoding="Utf-8"?>${root}`), undefined);
    });
  }

  const bytes: Record<string, Buffer> = {
    "UTF-16 with its mark": Buffer.from(`\uFEFF${root}`, "utf16le"),
    "UTF-16 without": Buffer.from(root, "utf16le"),
    "Latin 1": Buffer.from(svg("<title>Caf\u00e9</title>"), "latin1"),
    "an overlong form of `<`": Buffer.from(svg("<title>\u00c0\u00bcscript></title>"), "latin1"),
    "a lone surrogate": Buffer.concat([
      Buffer.from(`<!--`),
      Buffer.from("eda080", "hex"),
      Buffer.from(`-->${root}`),
    ]),
    "gzip (svgz)": Buffer.from("1f8b0800000000000003", "hex"),
  };
  for (const [name, content] of Object.entries(bytes)) {
    test(`${name} is refused`, () => {
      assert.equal(inspectLogo(dataUri("image/svg+xml", content)), "bytes_invalid");
    });
  }
  test("the twin in UTF-8 is accepted", () =>
    assert.equal(inspectSvgText("<title>Caf\u00e9 \u{1F30A}</title>"), undefined));
});

describe("an SVG brings nothing but elements, text and comments", () => {
  const root = `<svg xmlns="${SVG}"/>`;
  const laughs = Array.from(
    { length: 9 },
    (_, row) => `<!ENTITY l${row + 1} "${`&l${row};`.repeat(10)}">`,
  ).join("");
  testTwins([
    ["a billion laughs", `<!DOCTYPE svg [<!ENTITY l0 "ha">${laughs}]><svg xmlns="${SVG}">&l9;</svg>`, root],
    [
      "a file as entity",
      `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="${SVG}">&x;</svg>`,
      root,
    ],
    [
      "a parameter entity",
      `<!DOCTYPE svg [<!ENTITY % x SYSTEM "http://evil.example/x.dtd"> %x;]>${root}`,
      root,
    ],
    ["handlers by default attribute", `<!DOCTYPE svg [<!ATTLIST svg onload CDATA "alert(1)">]>${root}`, root],
    [
      "an entity that becomes a script",
      `<!DOCTYPE svg [<!ENTITY s "<script/>">]><svg xmlns="${SVG}">&s;</svg>`,
      root,
    ],
    [
      "a style sheet before the root",
      `<?xml-stylesheet href="http://evil.example/a.css"?>${root}`,
      `<?xml version="1.0"?>${root}`,
    ],
    ["a transformation", `<?xml-stylesheet type="text/xsl" href="#x"?>${root}`, undefined],
    ["an instruction inside", `<?php system("id") ?>`, `<desc>php system("id")</desc>`],
    ["an instruction after the root", `${root}<?x y?>`, `${root}<!-- x y -->`],
    [
      "a comment that HTML ends at once",
      `<!--><script>alert(1)</script>-->`,
      `<!-- <script>alert(1)</script> -->`,
    ],
    ["the same with a dash", `<!---><script>alert(1)</script>-->`, `<!-- -><script>alert(1)</script> -->`],
    ["a depth of 65", "<g>".repeat(64) + "</g>".repeat(64), "<g>".repeat(63) + "</g>".repeat(63)],
    [
      "a root with a prefix",
      `<x:svg xmlns:x="${SVG}"/>`,
      `<svg xmlns="${SVG}"><x:svg xmlns:x="${SVG}"/></svg>`,
    ],
  ]);
});

describe("contract 3: a DOCTYPE without entities is accepted and never fetched", () => {
  const root = `<svg xmlns="${SVG}"/>`;
  const id = `"-//W3C//DTD SVG 1.1//EN"`;
  const dtd = `"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"`;
  testTwins([
    ["declarations in brackets", `<!DOCTYPE svg [ <!ENTITY a "b"> ]>${root}`, `<!DOCTYPE svg [\n]>${root}`],
    ["a reference in brackets", `<!DOCTYPE svg [%a;]>${root}`, `<!DOCTYPE svg[]>${root}`],
    [
      "declarations beside a public DTD",
      `<!DOCTYPE svg PUBLIC ${id} ${dtd} [ <!ENTITY a "b"> ]>${root}`,
      `<?xml version="1.0"?>\n<!DOCTYPE svg PUBLIC ${id}\n  ${dtd}>\n${root}`,
    ],
    [
      "declarations beside a system DTD",
      `<!DOCTYPE svg SYSTEM 'svg.dtd' [<!ATTLIST svg onload CDATA "alert(1)">]>${root}`,
      `<!DOCTYPE svg SYSTEM 'svg.dtd' >${root}`,
    ],
    [
      "a DTD's name that ends the DOCTYPE in HTML",
      `<!DOCTYPE svg SYSTEM "><script>alert(1)</script>">${root}`,
      `<!DOCTYPE svg SYSTEM "script">${root}`,
    ],
    ["a DOCTYPE of HTML", `<!DOCTYPE html>${root}`, `<!DOCTYPE svg>${root}`, "bytes_invalid"],
    ["a DOCTYPE of another name", `<!DOCTYPE svgs>${root}`, `<!DOCTYPE svg>${root}`, "bytes_invalid"],
    [
      "declarations after a DTD's name",
      `<!DOCTYPE svg SYSTEM "a" [<!ENTITY a "b">]>${root}`,
      `<!DOCTYPE svg SYSTEM "a" []>${root}`,
    ],
    [
      "a public name without a DTD",
      `<!DOCTYPE svg PUBLIC ${id}>${root}`,
      `<!DOCTYPE svg PUBLIC ${id} "">${root}`,
    ],
    ["other words in a DOCTYPE", `<!DOCTYPE svg please>${root}`, undefined],
    ["two DOCTYPEs", `<!DOCTYPE svg><!DOCTYPE svg>${root}`, `<!DOCTYPE svg>${root}`, "bytes_invalid"],
    ["a DOCTYPE after the root", `${root}<!DOCTYPE svg>`, root, "bytes_invalid"],
    [
      "an entity that only the DTD could declare",
      `<!DOCTYPE svg SYSTEM "svg.dtd"><svg xmlns="${SVG}">&a;</svg>`,
      `<!DOCTYPE svg SYSTEM "svg.dtd"><svg xmlns="${SVG}">&amp;</svg>`,
      "bytes_invalid",
    ],
  ]);

  test("a DOCTYPE alone is refused", () => {
    assert.equal(inspectLogo(dataUri("image/svg+xml", "<!DOCTYPE svg>")), "bytes_invalid");
  });
});

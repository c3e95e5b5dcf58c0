import { describe } from "node:test";
import { dataUri, smallPng, testTwins, webps } from "../../../tests/support/sample-logos.ts";

const SVG = "http://www.w3.org/2000/svg";
const pngUri = dataUri("image/png", smallPng);
const jpegUri = dataUri("image/jpeg", Buffer.from("ffd8ffe0", "hex"));

describe("no attribute runs anything", () => {
  testTwins([
    ["onload on the root", `<svg xmlns="${SVG}" onload="alert(1)"/>`, `<svg xmlns="${SVG}" class="onload"/>`],
    ["onclick", `<rect onclick="alert(1)"/>`, `<rect class="onclick"/>`],
    ["a handler without content", `<rect onfocus=""/>`, `<rect focusable="false"/>`],
    ["a handler that no browser has yet", `<rect ontomorrow="alert(1)"/>`, `<rect data-ontomorrow="alert"/>`],
    ["OnLoad in capitals", `<rect OnLoad="alert(1)"/>`, undefined],
    ["ONLOAD in capitals", `<rect ONLOAD="alert(1)"/>`, undefined],
    [
      "a handler with a prefix",
      `<rect xmlns:x="urn:x" x:onload="alert(1)"/>`,
      `<rect xmlns:x="urn:x" x:load="alert(1)"/>`,
    ],
    ["a handler with the prefix of SVG", `<rect xmlns:x="${SVG}" x:onload="alert(1)"/>`, undefined],
    [
      "a handler on an editor's element",
      `<x:y xmlns:x="urn:x" onload="alert(1)"/>`,
      `<x:y xmlns:x="urn:x"/>`,
    ],
    ["an animation's handler", `<rect onbegin="alert(1)"/>`, undefined],
    [
      "an attribute of XML Events",
      `<rect xmlns:e="http://www.w3.org/2001/xml-events" e:event="load"/>`,
      undefined,
    ],
    ["an attribute of HTML", `<rect xmlns:h="http://www.w3.org/1999/xhtml" h:autofocus=""/>`, undefined],
    ["a script address in any attribute", `<rect to="javascript:alert(1)"/>`, `<rect to="java"/>`],
  ]);
});

describe("no reference leaves the drawing", () => {
  testTwins([
    ["use of another site", `<use href="http://evil.example/a.svg#b"/>`, `<use href="#b"/>`],
    ["use by the old name", `<use xlink:href="https://evil.example/a.svg#b"/>`, `<use xlink:href="#b"/>`],
    ["use without a scheme", `<use href="//evil.example/a.svg#b"/>`, undefined],
    ["use of a path", `<use href="a.svg#b"/>`, undefined],
    ["use of nothing, which is the page itself", `<use href=""/>`, `<use/>`],
    ["use of an empty mark", `<use href="#"/>`, `<use href="#a"/>`],
    ["a blank before the mark", `<use href=" #a"/>`, undefined],
    ["use of data", `<use href="data:image/svg+xml;base64,PHN2Zy8+#a"/>`, undefined],
    ["use of a picture", `<use href="${pngUri}"/>`, `<image href="${pngUri}"/>`],
    ["HREF in capitals", `<use HREF="http://evil.example/"/>`, `<use HREF="#a"/>`],
    [
      "href by another prefix",
      `<use xmlns:y="http://www.w3.org/1999/xlink" y:href="http://evil.example/"/>`,
      undefined,
    ],
    [
      "href of an unknown vocabulary",
      `<use xmlns:y="urn:y" y:href="http://evil.example/"/>`,
      `<use xmlns:y="urn:y" y:ref="http://evil.example/"/>`,
    ],
    [
      "both names, one of them bad",
      `<use href="#a" xlink:href="http://evil.example/"/>`,
      `<use href="#a" xlink:href="#a"/>`,
    ],
    ["src", `<image src="http://evil.example/a.png"/>`, `<image src="${pngUri}"/>`],
    ["a script address", `<use href="javascript:alert(1)"/>`, undefined],
    ["a script address in references", `<use href="&#106;avascript&#58;alert(1)"/>`, `<use href="&#35;a"/>`],
    ["a script address with a tab", `<use href="java&#9;script:alert(1)"/>`, undefined],
    [
      "a gradient of another site",
      `<linearGradient href="http://evil.example/#g"/>`,
      `<linearGradient href="#g"/>`,
    ],
    ["a pattern of another site", `<pattern xlink:href="x.svg#p"/>`, `<pattern xlink:href="#p"/>`],
    [
      "a text path of another site",
      `<text><textPath href="x.svg#p"/></text>`,
      `<text><textPath href="#p"/></text>`,
    ],
    [
      "a filter picture of another site",
      `<filter><feImage href="http://evil.example/"/></filter>`,
      `<filter><feImage href="#a"/></filter>`,
    ],
    [
      "xml:base",
      `<g xml:base="http://evil.example/"><use href="#a"/></g>`,
      `<g xml:lang="en"><use href="#a"/></g>`,
    ],
    [
      "xml:base by another prefix",
      `<g xmlns:y="http://www.w3.org/XML/1998/namespace" y:base="http://evil.example/"/>`,
      undefined,
      "bytes_invalid",
    ],
    [
      "a namespace that the parser trims and a browser does not",
      `<x:y xmlns:x=" urn:x"/>`,
      `<x:y xmlns:x="urn:x"/>`,
    ],
  ]);
});

describe("a picture within the drawing is pixels", () => {
  testTwins([
    ["from another site", `<image href="http://evil.example/a.png"/>`, `<image href="${pngUri}"/>`],
    ["from a file", `<image xlink:href="file:///etc/passwd"/>`, `<image xlink:href="${pngUri}"/>`],
    [
      "an SVG",
      `<image href="${dataUri("image/svg+xml", `<svg xmlns="${SVG}"/>`)}"/>`,
      `<image href="${jpegUri}"/>`,
    ],
    ["HTML", `<image href="${dataUri("text/html", "<script/>")}"/>`, undefined],
    ["a picture with parameters", `<image href="${pngUri.replace(";", ";x=y;")}"/>`, undefined],
    ["a PNG that is none", `<image href="${dataUri("image/png", "<svg/>")}"/>`, `<image href="${pngUri}"/>`],
    [
      "a WebP that is a PNG",
      `<image href="${dataUri("image/webp", smallPng)}"/>`,
      `<image href="${dataUri("image/webp", webps.alpha)}"/>`,
    ],
    [
      "a GIF that is none",
      `<image href="${dataUri("image/gif", "GIF")}"/>`,
      `<image href="${dataUri("image/gif", "GIF89a")}"/>`,
    ],
    [
      "a JPEG that is none",
      `<image href="${dataUri("image/jpeg", "<script/>")}"/>`,
      `<image href="${jpegUri}"/>`,
    ],
    ["not base64", `<image href="data:image/png,%3Csvg/%3E"/>`, undefined],
    [
      "a filter's SVG",
      `<filter><feImage href="data:image/svg+xml;base64,PHN2Zy8+"/></filter>`,
      `<filter><feImage href="${pngUri}"/></filter>`,
    ],
    [
      "broken lines that hide another type",
      `<image href="data:image/svg+\nxml;base64,PHN2Zy8+"/>`,
      `<image href="${pngUri.replace(/.{40}/g, "$&\n  ")}"/>`,
    ],
  ]);
});

import { PRODUCTS, type Product, SANDBOX_SHELF } from "../orders/catalogue.ts";
import { dollars } from "../orders/price.ts";
import { type Html, html } from "./html.ts";
import { layout } from "./layout.ts";

export function frontPage(count: number): Html {
  const content = html`<section class="welcome">
<h1>Coffee from the end of the pier</h1>
<p>Roasted small, sent the next morning. Free shipping from $60.</p>
</section>
<section aria-labelledby="shelf"><h2 id="shelf" class="hidden-title">Our coffees</h2>
<ul class="shelf">${PRODUCTS.map(
    (product) => html`<li class="product">${bag(product)}
<div class="product-words"><h3>${product.title}</h3><p>${product.words}</p></div>
${addForm(product)}</li>\n`,
  )}</ul></section>
<section class="sandbox-shelf" aria-labelledby="sandbox"><h2 id="sandbox">The sandbox shelf</h2>
<p>Prices that trigger sandbox scenarios. Buy one of them alone.</p>
<ul class="vouchers">${SANDBOX_SHELF.map(
    (product) => html`<li class="voucher">
<div><h3>${product.title}</h3><p>${product.words}</p></div>
${addForm(product)}</li>\n`,
  )}</ul></section>`;
  return layout({ title: "Coffee", count, content });
}

function addForm({ id, title, price }: Product): Html {
  return html`<form class="buy" method="post" action="/basket"><input type="hidden" name="product" value="${id}">
<span class="price">${dollars(price)}</span><button name="add" value="1" aria-label="Add ${title} to the basket">Add</button></form>`;
}

function bag({ colours: [light, dark] }: Product): Html {
  return html`<svg class="bag" viewBox="0 0 200 150" role="presentation" aria-hidden="true">
<ellipse cx="100" cy="136" rx="58" ry="7" fill="#000" opacity="0.12"/>
<path d="M60 30h80l8 98a8 8 0 0 1-8 8H60a8 8 0 0 1-8-8z" fill="${dark}"/>
<path d="M60 30h80l2.600 32H57.400z" fill="${light}"/>
<path d="M62 18h76v14H62z" fill="${dark}"/><path d="M62 24h76" stroke="${light}" stroke-width="2"/>
<circle cx="100" cy="92" r="23" fill="${light}"/>
<path d="M83 97q8.500-9 17 0t17 0M83 88q8.500-9 17 0t17 0" fill="none" stroke="${dark}" stroke-width="4" stroke-linecap="round"/>
</svg>`;
}

import { offerCopies } from "./offer-copies.ts";
import { offerSearch } from "./offer-search.ts";
import { offerTabs, rememberedLanguage, showLanguage } from "./offer-tabs.ts";

// This script runs before the page is drawn, so that the programs of other languages never appear and nothing jumps.
showLanguage(document, rememberedLanguage());

document.addEventListener("DOMContentLoaded", () => {
  offerTabs(document);
  offerCopies(document);
  offerSearch(document);
});

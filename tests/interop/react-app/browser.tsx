import { hydrateRoot } from "react-dom/client";
import { App, OwnElement, type ShopPage } from "./app.tsx";

declare global {
  interface Window {
    readonly shopPage: ShopPage;
  }
}

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");
const Page = location.pathname === "/own-element" ? OwnElement : App;
hydrateRoot(root, <Page page={window.shopPage} />);

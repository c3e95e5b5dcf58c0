import { renderToString } from "react-dom/server";
import { App, OwnElement, type ShopPage } from "./app.tsx";

export function render(path: string, page: ShopPage): string {
  const Page = path === "/own-element" ? OwnElement : App;
  return renderToString(<Page page={page} />);
}

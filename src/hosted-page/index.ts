export { verifyPage } from "./verify-page.ts";

export { type HostedPage, hostedPageOf, type PageTheme } from "./hosted-page.ts";
export { initialLogo } from "./initial-logo.ts";
export {
  BANK_APP_PATH,
  bankAppLink,
  isPageKey,
  merchantOfPageKey,
  newPageKey,
  pageKeyOfToken,
  pageUrl,
  payIdToken,
  railPath,
} from "./page-address.ts";
export { hostedPageProblems } from "./page-rules.ts";
export { HostedPageAnswer, HostedPageBody } from "./wire.ts";

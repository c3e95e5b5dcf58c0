export { keepHours } from "./hours/keep-hours.ts";
export { PERIODS } from "./overview/overview.ts";
export { readOverview } from "./overview/read-overview.ts";

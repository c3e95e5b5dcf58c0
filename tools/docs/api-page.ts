import { API_ROUTES } from "../../src/app/routes.ts";
import { page, table } from "./markdown.ts";

/** The URL of the reference with default settings. */
const REFERENCE = "http://localhost:4000/docs";

export function apiPage(): string {
  const groups = [...Map.groupBy(API_ROUTES, (route) => route.group)];
  const tables = groups.map(([group, routes]) => {
    const rows = routes.map(({ method, path, name, summary, scope, sandboxOnly }) => [
      `\`${method} ${path}\``,
      `[${summary}](${REFERENCE}#${name})`,
      `\`${scope}\`${sandboxOnly === true ? ", sandbox only" : ""}`,
    ]);
    return `## ${group}\n\n${table(["Call", "What it does", "Scope"], rows)}`;
  });
  return page("Endpoints", "[src/app/routes.ts](../../src/app/routes.ts)", [
    `Fields, answers and codes are in the reference of a running gateway at \`{base_url}/docs\`, and for machines at \`{base_url}/openapi.json\`. The links lead to a gateway with the default settings.`,
    ...tables,
  ]);
}

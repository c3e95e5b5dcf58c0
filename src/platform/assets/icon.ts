import type { HttpServer } from "../http/server.ts";

/** Our mark: the gate, and the tide below it. */
const ICON =
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5f7c"/>` +
  `<g fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"><path d="M8 7v11M16 7v11M24 7v11"/>` +
  `<path d="M6 24c2.5-2 4.2-2 6.7 0s4.2 2 6.6 0 4.2-2 6.7 0"/></g></svg>`;

export const ICON_ADDRESS = `data:image/svg+xml;base64,${Buffer.from(ICON).toString("base64")}`;

/** Browsers request it on their own; an answer keeps payers' consoles free of errors. */
export function mountIcon(server: HttpServer): void {
  server.get("/favicon.ico", async (_request, reply) =>
    reply.header("Cache-Control", "public, max-age=86400").type("image/svg+xml").send(ICON),
  );
}

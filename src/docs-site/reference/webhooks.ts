import type { JsonSchema, OpenApiDocument } from "../../platform/http/openapi-shape.ts";
import type { PageContext } from "./endpoint.ts";
import { type Html, html, joined, prose } from "./html.ts";

const ABOUT =
  "The gateway posts each event, signed, to the URL of the subscription for its event value, as `GET /events/{eventId}` shows it (without `result`), until a 2xx acknowledges it.";

/** The event values and the resources in their payloads. */
export function webhookSection({ webhooks }: OpenApiDocument, homes: PageContext["homes"]): Html {
  const rows = Object.entries(webhooks).map(
    ([event, { post }]) =>
      html`<tr role="row"><th role="rowheader" scope="row"><code>${event}</code></th><td role="cell">${prose(post.description ?? "")}</td><td role="cell">${payloadsOf(post.requestBody.content["application/json"].schema, homes)}</td></tr>
`,
  );
  return html`<p>${prose(ABOUT)}</p>
<table role="table"><caption>Events and their payloads</caption>
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Event</th><th role="columnheader" scope="col">Posted when</th><th role="columnheader" scope="col">Payload</th></tr></thead>
<tbody role="rowgroup">${rows}</tbody></table>
`;
}

function payloadsOf(envelope: JsonSchema, homes: PageContext["homes"]): Html {
  const payload = envelope.properties?.["payload"];
  const references = [payload, ...(payload?.anyOf ?? [])].flatMap((one) => one?.$ref ?? []);
  const links = references.map((reference) => {
    const name = reference.split("/").at(-1) ?? "";
    const home = homes.get(reference)?.operationId;
    return home === undefined ? html`${name}` : html`<a href="#${home}-answer">${name}</a>`;
  });
  return joined(links, ", ");
}

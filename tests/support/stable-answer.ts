import type { TestGateway } from "./gateway.ts";

const ID_BODY = "01k9zq4v7m0005h8xn2jd3ctewpfb";
const ID = /\b([a-z]{2,4})_[0-9a-hjkmnp-tv-z]{29}\b/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const FIRST_MOMENT = Date.parse("2026-03-02T01:15:00.000Z");
const MINUTE = 60_000;

/** Fields whose value differs at each call, and what stands for it. */
const SIGNING_KEY = "an-example-of-a-signing-key-not-a-real-one0";
const STAND_INS: Readonly<Record<string, unknown>> = {
  authorisationCode: "QDCYNI",
  retrievalReference: "YPQCIAIEKZCN",
  networkTransactionId: "WYLGVCUEHISHSV",
  token: `tok_${ID_BODY}_LA8NCgrXaoXk2G9JCOG5UAzjDdIoJc5kmcFFfCOy9DY`,
  signingKey: SIGNING_KEY,
  standardWebhooksSecret: `whsec_${Buffer.from(SIGNING_KEY).toString("base64")}`,
  latencyMs: 7,
  nextCursor: Buffer.from(`evt_${ID_BODY}`).toString("base64"),
};

/** An answer with stable ids, times, addresses and secrets, and one row of each list. */
export function stableAnswer(answer: object, gateway: Pick<TestGateway, "baseUrl" | "hostedUrl">): unknown {
  const text = JSON.stringify(answer)
    .replaceAll(gateway.baseUrl, "http://localhost:4000")
    .replaceAll(gateway.hostedUrl, "http://localhost:4001")
    .replaceAll(/(?<=\/pay\/)[\w-]{32}/g, "f0HLAn9zOBesLut1RZCdzx6hgZVrbjuz")
    .replaceAll(/shop-\d+-\d+(?=@)/g, "shop-1")
    .replaceAll(ID, `$1_${ID_BODY}`);
  const moments = (text.match(TIME) ?? []).map((one) => Date.parse(one));
  const first = Math.min(...moments);
  // To the minute: what happens within seconds differs from run to run.
  const moved = text.replaceAll(TIME, (one) => {
    const later = Math.round((Date.parse(one) - first) / MINUTE) * MINUTE;
    return new Date(FIRST_MOMENT + later).toISOString();
  });
  return stable(JSON.parse(moved));
}

function stable(value: unknown, field = ""): unknown {
  if (Object.hasOwn(STAND_INS, field) && value !== null) return STAND_INS[field];
  if (Array.isArray(value)) {
    const rows = value.map((row) => stable(row));
    return typeof rows[0] === "object" ? rows.slice(0, 1) : rows;
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, stable(inner, name)]));
}

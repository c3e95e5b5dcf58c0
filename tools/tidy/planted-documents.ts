import { FEATURE_ORDER, PLATFORM_ORDER } from "./places.ts";
import { file, lines, type Plants, placing, writing } from "./plant.ts";

// Joined from parts, so that this file has no trace itself.
const home = ["", "root", "tidegate", "x"].join("/");
const elsewhere = ["", "home", "someone", "x"].join("/");
const registry = ["registry", "npmjs", "org"].join(".");
const person = ["someone", "company.com"].join("@");

const FEATURES = FEATURE_ORDER.join(" →\n");
const PLATFORM = PLATFORM_ORDER.join(" → ");
const MAP = `${FEATURES}\n\n${PLATFORM}`;

export const PLANTED_DOCUMENTS: Plants = {
  "nothing belongs to one machine": [
    writing(
      "machine-path",
      "docs/guides/operator.md",
      `Look into ${home}.`,
      "Look into https://x.example/root/y.",
    ),
    writing("machine-path", "src/app/main.ts", `const a = "${elsewhere}";`, "const a = `${base}/work/x`;"),
    writing("registry-host", "README.md", `From ${registry}.`, "The registry.metrics() of the process."),
    writing(
      "registry-host",
      "package-lock.json",
      '"resolved": "https://x.example/a.tgz"',
      '"resolved": "packages/client"',
    ),
    writing("registry-host", ".npmrc", "registry=https://x.example", "omit-lockfile-registry-resolved=true"),
    writing("e-mail", "README.md", `Ask ${person}.`, "Ask a@example.com, b@shop.example or c@mail.test."),
    writing(
      "e-mail",
      "README.md",
      `<${person}>`,
      "postgres://me:secret@db.internal/x, logo@2x.png, pg@8.23.1",
    ),
  ],
  "migrations follow one another": [
    placing("migration-name", "", "migrations/0001-Merchants.sql", "migrations/0001_merchants.sql"),
    placing("migration-name", "", "migrations/dump.sql", "migrations/schema.sql"),
    {
      ...placing("migration-gap", "", "migrations/0003_c.sql", "migrations/0002_b.sql"),
      beside: [file("migrations/0001_a.sql")],
    },
    {
      ...placing("migration-gap", "", "migrations/0001_c.sql", "migrations/0002_b.sql"),
      beside: [file("migrations/0001_a.sql")],
    },
  ],
  "decisions are written down": [
    {
      ...writing(
        "dependency-without-decision",
        "package.json",
        '{ "dependencies": { "pg": "8" } }',
        '{ "devDependencies": { "pg": "8" } }',
      ),
      beside: [file("docs/decisions/0001-a.md", "We use pg-boss and node-pg.")],
    },
    {
      ...writing(
        "dependency-without-decision",
        "package.json",
        '{ "dependencies": { "ajv": "8" } }',
        '{ "dependencies": { "pg": "8" } }',
      ),
      beside: [file("docs/decisions/0001-a.md", "We use `pg`.")],
    },
    writing("decision-length", "docs/decisions/0001-a.md", lines(41), lines(40)),
    placing("decision-number", "", "docs/decisions/why.md", "docs/decisions/0001-why.md"),
    {
      ...placing("decision-number", "", "docs/decisions/0001-b.md", "docs/decisions/0002-b.md"),
      beside: [file("docs/decisions/0001-a.md")],
    },
  ],
  "links lead somewhere": [
    {
      ...writing(
        "dead-link",
        "README.md",
        "See [it](docs/gone.md).",
        "See [it](docs/here.md#top), [docs](docs/), [web](https://x.example).",
      ),
      beside: [file("docs/here.md")],
    },
    {
      ...writing("dead-link", "SECURITY.md", "[a]: ./gone.md", "[a]: ./docs/here.md"),
      beside: [file("docs/here.md")],
    },
    {
      ...writing("dead-link", "docs/a.md", '<img src="gone.png">', "`[x](gone.md)` ![a](pic.png)"),
      beside: [file("docs/pic.png")],
    },
  ],
  "what is named is there": [
    {
      ...writing(
        "dead-mention",
        "README.md",
        "See `tools/gone.ts`.",
        "See `tools/here.ts`, `tools/`, `a/b.js`.",
      ),
      beside: [file("tools/here.ts")],
    },
    {
      ...writing(
        "dead-mention",
        "docs/a.md",
        "By `checkout/gone.ts`.",
        "By `checkout/pay.ts` and `…/p*.ts`.",
      ),
      beside: [file("src/features/checkout/pay.ts")],
    },
    {
      ...writing(
        "dead-mention",
        "CONTRIBUTING.md",
        "```sh\nnpm test -- tests/spec/gone.test.ts\n```",
        "```sh\nnpm test -- tests/spec/here.test.ts # https://x.example/tests/y.ts\n```",
      ),
      beside: [file("tests/spec/here.test.ts")],
    },
    {
      ...writing("dead-mention", "README.md", "Then `npm run gone`.", "Then `npm run --silent here`."),
      beside: [file("package.json", '{ "scripts": { "here": "node here.ts" } }')],
    },
    writing("dead-mention", "tools/a.ts", "// As src/app/gone.ts does.", 'const a = "src/app/gone.ts";'),
    writing(
      "dead-mention",
      "src/app/a.ts",
      'const a = "see docs/gone.md";',
      'const a = "see /docs/gone.md";',
    ),
  ],
  "a name in a decision is in the code": [
    {
      ...writing(
        "dead-name",
        "docs/decisions/0001-a.md",
        "A function of `Holdings`.",
        "A function of `InstrumentReader`, with `kill -9`, `KEY` and Google's `PaymentOptions`.",
      ),
      beside: [file("src/features/customers/customer-instruments.ts", "export type InstrumentReader = 1;")],
    },
    {
      ...writing("dead-name", "docs/decisions/0001-a.md", "It sets `lateApproval`.", "It sets `early` late."),
      beside: [file("docs/guides/a.md", "`lateApproval`")],
    },
  ],
  "words are plain": [
    writing("plain-words", "docs/a.md", "Nobody needs a key.", "It runs as `nobody`, found by `/^nobody:/`."),
    writing("plain-words", "src/kernel/a.ts", "// whoever pays", "// the payer pays"),
    writing("plain-words", "README.md", "It says what to mend.", "It recommends what to fix."),
    writing("plain-words", "CHANGELOG.md", "The merchant is told.", "The merchant is notified."),
    writing("plain-words", "tests/a.test.ts", 'const a = "own_trouble";', 'const a = "own_error";'),
    placing("plain-words", "-- The freshness of caches.", "bench/a.sql", "migrations/0001_a.sql"),
  ],
  "the map is up to date": [
    writing("stale-map", "ARCHITECTURE.md", `${FEATURE_ORDER.toReversed().join(" → ")}\n\n${PLATFORM}`, MAP),
    writing("stale-map", "ARCHITECTURE.md", FEATURES, MAP),
    {
      ...writing("stale-map", "ARCHITECTURE.md", `${MAP}\npayui-frame`, `${MAP}\npayui, frame`),
      beside: [file("browser/payui/main.ts")],
    },
  ],
};

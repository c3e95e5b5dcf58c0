import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { migrate } from "../../src/platform/db/migrate.ts";
import { openEmbeddedPostgres } from "../../src/platform/embedded-postgres/index.ts";
import { readableSql } from "./readable-sql.ts";
import { FUNCTIONS, INDEXES, TABLES, TRIGGERS, VIEWS } from "./schema-queries.ts";

const HEAD = `-- The schema after all migrations, for reading. Nothing runs this file; why things are so stands in the migrations.
-- Made by \`npm run docs\` from the catalogs of a freshly migrated server.`;

type TableRow = {
  readonly name: string;
  readonly parts: readonly string[];
  readonly partition: string | null;
};
type OnTable = { readonly table: string; readonly definition: string };
type Definition = { readonly definition: string };

/** All tables with their indexes and triggers, then views and functions. The same migrations always give the same text. */
export async function schemaDump(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tidegate-docs-"));
  const server = await openEmbeddedPostgres({ dataDir: folder, holdFolder: true, notice: console.log });
  try {
    await migrate(server.url);
    return await dump(server.url);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function dump(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const rows = async <Row extends pg.QueryResultRow>(text: string) => (await client.query<Row>(text)).rows;
  try {
    const tables = await rows<TableRow>(TABLES);
    const indexes = await rows<OnTable>(INDEXES);
    const triggers = await rows<OnTable>(TRIGGERS);
    const views = await rows<Definition>(VIEWS);
    const functions = await rows<Definition>(FUNCTIONS);
    const blocks = tables.map((one) => [
      tableText(one),
      ...onTable(indexes, one.name),
      ...onTable(triggers, one.name),
    ]);
    const others = [...functions, ...views].map(({ definition }) => `${readableSql(definition.trimEnd())};`);
    return `${[HEAD, ...blocks.map((block) => block.join("\n")), ...others].join("\n\n")}\n`;
  } finally {
    await client.end();
  }
}

function tableText({ name, parts, partition }: TableRow): string {
  const end = partition === null ? ");" : `) partition by ${partition};`;
  return `create table ${name} (\n${parts.map((part) => `  ${readableSql(part)}`).join(",\n")}\n${end}`;
}

function onTable(all: readonly OnTable[], table: string): readonly string[] {
  return all.filter((one) => one.table === table).map(({ definition }) => `${readableSql(definition)};`);
}

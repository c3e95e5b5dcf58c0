import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TEST_VAULT_KEY } from "./calls.ts";
import { CLI } from "./command-line.ts";
import type { TestGateway } from "./gateway.ts";
import { type Block, blocksOf } from "./guide-blocks.ts";
import { typeCommand, wordsOf } from "./typed-command.ts";

const BUSY_MACHINE_MS = 300_000;

/** Where a guide is run: a gateway, a merchant, and a folder for files. */
export type GuidePlace = {
  readonly gateway: Pick<TestGateway, "call" | "baseUrl" | "hostedUrl" | "settings" | "database">;
  readonly merchant: { readonly id: string; readonly key: string };
  readonly folder: string;
};

/**
 * Runs every block of a guide in order: `http` is a call, `sh` runs in a shell, and `json` after either is the expected
 * answer. An id that ends in `…` stands for the first real id that an answer had in that place, there and in all later
 * blocks. Any other kind of block has to be marked. Returns the number of blocks that ran.
 */
export async function followGuide(path: string, place: GuidePlace): Promise<number> {
  const known = new Map([["mer_…", place.merchant.id]]);
  let answer: unknown;
  let count = 0;
  const blocks = (await blocksOf(path)).filter(({ mark }) => mark === undefined);
  for (const [at, block] of blocks.entries()) {
    const where = `${path}:${block.line}`;
    count += 1;
    if (block.kind === "http") {
      const isRefused = isRefusal(blocks[at + 1]);
      answer = await callOf(place, withIds(block.text, known), where, isRefused);
    } else if (block.kind === "sh") answer = await runInShell(block, place, known, where);
    else if (block.kind === "json") assertShown(jsonOf(answer, where), JSON.parse(block.text), where, known);
    else assert.fail(`${where}: a block of \`${block.kind}\` cannot be run; mark it, see guide-blocks.ts`);
  }
  return count;
}

/** A reader has one sandbox merchant and need not name it; the test gateway has several. */
const TIDEGATE = `tidegate() {
  case "$1" in sandbox|events) set -- "$@" --merchant "$MERCHANT";; esac
  "$NODE" "$CLI" "$@"
}`;

function withIds(text: string, known: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\b[a-z]+_…/g, (id) => known.get(id) ?? id);
}

/** A call is refused only where the next block of the guide shows a refusal. */
function isRefusal(next: Block | undefined): boolean {
  return next?.kind === "json" && next.text.includes('"validation_error"');
}

async function callOf(
  { gateway, merchant }: GuidePlace,
  text: string,
  where: string,
  isRefused: boolean,
): Promise<unknown> {
  const [head = "", ...rest] = text.split("\n");
  const [method = "", target = ""] = head.split(" ");
  const body = rest.join("\n").trim();
  const answer = await gateway.call(target, {
    method,
    key: merchant.key,
    ...(body === "" ? {} : { body: JSON.parse(body) }),
  });
  assert.equal(answer.status >= 400, isRefused, `${where}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Commands on the gateway's database, one per line, without any shell syntax. */
const PLAIN_COMMANDS = /^(tidegate (?!doctor|migrate|start)[^|<>&;$`\n]*\n)+$/;

/** Runs plain commands in this process, which saves the second that a process takes to start. */
async function runCommands(commands: string, { gateway, merchant }: GuidePlace): Promise<string> {
  const printed: string[] = [];
  for (const line of commands.trimEnd().split("\n")) {
    const [, ...words] = wordsOf(line);
    const whose = words[0] === "sandbox" || words[0] === "events" ? ["--merchant", merchant.id] : [];
    const output = await typeCommand(gateway, ...words, ...whose);
    assert.notEqual(output.failed, true, output.lines.join("\n"));
    printed.push(words.includes("--json") ? JSON.stringify(output.json) : output.lines.join("\n"));
  }
  return printed.join("\n");
}

/** Variables that a block sets stay set for the next one. */
async function runInShell(
  { text }: Block,
  place: GuidePlace,
  known: ReadonlyMap<string, string>,
  where: string,
): Promise<string> {
  const { gateway, merchant, folder } = place;
  const { settings } = gateway;
  const commands = withIds(text, known)
    .replaceAll("http://localhost:4000", gateway.baseUrl)
    .replaceAll("http://localhost:4001", gateway.hostedUrl)
    .replaceAll("npx tidegate", "tidegate");
  if (PLAIN_COMMANDS.test(commands)) return runCommands(commands, place);
  const script = [
    "set -euo pipefail; set -a; [ ! -f .variables ] || source .variables",
    TIDEGATE,
    `curl() { command curl -sS --fail-with-body "$@"; }`,
    commands,
    "declare -px | grep -vE ' (PATH|SHLVL|PWD|OLDPWD|_)=' > .variables",
  ].join("\n");
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    NODE: process.execPath,
    CLI,
    NODE_COMPILE_CACHE: join(tmpdir(), "tidegate-test-code"),
    TIDEGATE_API_KEY: merchant.key,
    MERCHANT: merchant.id,
    DATABASE_URL: gateway.database.url,
    TIDEGATE_VAULT_KEY: TEST_VAULT_KEY,
    TIDEGATE_API_PORT: String(settings.apiPort),
    TIDEGATE_HOSTED_PORT: String(settings.hostedPort),
  };
  return new Promise((resolve, reject) => {
    execFile(
      "bash",
      ["-c", script],
      { cwd: folder, env, timeout: BUSY_MACHINE_MS },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new Error(`${where}: ${stdout}${stderr || error.message}`));
      },
    );
  });
}

function jsonOf(answer: unknown, where: string): unknown {
  if (typeof answer !== "string") return answer;
  try {
    // The guide shows the last of a block's answers.
    return JSON.parse(
      answer
        .trim()
        .split(/\n(?=\{)/)
        .at(-1) ?? "",
    );
  } catch {
    return assert.fail(`${where}: expects JSON, but the block before it printed ${answer}`);
  }
}

/** Asserts that the answer contains everything that the guide shows; it may have more. */
function assertShown(real: unknown, shown: unknown, place: string, known: Map<string, string>): void {
  if (typeof shown === "string" && shown.endsWith("…")) {
    assert.ok(typeof real === "string" && real.startsWith(shown.slice(0, -1)), `${place}: ${String(real)}`);
    if (!/^[a-z]+_…$/.test(shown)) return;
    if (!known.has(shown)) known.set(shown, real);
    assert.equal(real, known.get(shown), place);
    return;
  }
  if (typeof shown !== "object" || shown === null) {
    assert.equal(real, shown, place);
    return;
  }
  assert.ok(typeof real === "object" && real !== null, `${place}: ${String(real)}`);
  if (Array.isArray(shown)) assert.equal((real as unknown[]).length, shown.length, `${place}: length`);
  for (const [name, value] of Object.entries(shown)) {
    assertShown((real as Record<string, unknown>)[name], value, `${place} ${name}`, known);
  }
}

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { wordsOf } from "../../tests/support/typed-command.ts";
import { closestMatch } from "../kernel/closest-match.ts";
import { UsageProblem } from "./command.ts";
import { loadAllCommands } from "./commands.ts";
import { DECLARATIONS } from "./generated/declarations.ts";
import { explain, overview } from "./help.ts";
import { parseCommandLine } from "./parse-command-line.ts";
import { barOf } from "./terminal.ts";

function problemOf(words: string): string {
  try {
    parseCommandLine(DECLARATIONS, words.split(" "));
  } catch (error) {
    assert.ok(error instanceof UsageProblem, String(error));
    assert.doesNotMatch(error.message, /\n/);
    return error.message;
  }
  return assert.fail(`${words} was accepted`);
}

describe("command line: parsing", () => {
  test("a command has its options, its flags and its defaults", () => {
    const typed = parseCommandLine(DECLARATIONS, wordsOf("key create --merchant mer_x --json"));
    assert.ok(typed.kind === "run");
    assert.equal(typed.command.name, "key create");
    assert.deepEqual(typed.args.options, {
      merchant: "mer_x",
      scopes: "read,write",
      expires: undefined,
      addresses: undefined,
    });
    assert.equal(typed.json, true);
  });

  test("suggests the closest match for an unknown word", () => {
    assert.match(problemOf("key creat"), /did you mean `key create`\?/);
    assert.match(problemOf("merchnat list"), /did you mean `merchant list`\?/);
    assert.match(problemOf("vualt"), /did you mean `vault`\?/);
    assert.doesNotMatch(problemOf("xylophone"), /did you mean/);
    assert.match(problemOf("key create --merchnt x"), /no option --merchnt, did you mean --merchant\?/);
    assert.doesNotMatch(problemOf("key create --xylophone"), /did you mean/);
  });

  test("names what is missing or superfluous", () => {
    assert.match(problemOf("key create"), /^--merchant is missing/);
    assert.match(problemOf("key revoke"), /^<keyId> is missing/);
    assert.match(problemOf("key revoke one two"), /takes one keyId/);
    assert.match(problemOf("merchant list more"), /takes options only/);
    assert.match(problemOf("key create --merchant --json"), /^--merchant needs a value/);
    assert.match(problemOf("key create --merchant"), /^--merchant needs a value/);
    assert.match(problemOf("merchant list --json=yes"), /^--json takes no value/);
  });

  test("refuses options that contradict each other, or that are given twice", () => {
    for (const [words, problem] of [
      ["events redeliver evt_x --from 2026-01-31T09:00:00Z", /^--from does not go with <eventId>/],
      ["events redeliver evt_x --to 2026-01-31T09:00:00Z", /^--to does not go with <eventId>/],
      ["events redeliver evt_x --event any", /^--event does not go with <eventId>/],
      ["sandbox pay pr_x --amount 3000", /^--amount does not go with <paymentRequestId>/],
      ["sandbox pay pr_x --3ds", /^--3ds does not go with <paymentRequestId>/],
      ["user create --email e --operator --role staff", /^--role does not go with --operator/],
      ["migrate --dry-run --citus", /^--dry-run does not go with --citus/],
      ["key list --merchant one --merchant two", /^--merchant is given twice/],
    ] as const)
      assert.match(problemOf(words), problem);
    for (const words of [
      "debit export --merchant m --agreement a --out o --batch b --day d",
      "events redeliver evt_x --merchant m",
      "user create --email e --merchant m --role staff",
      "merchant list --json --json",
      "acquirer add --merchant m --connector c --settings s --currency AUD --currency NZD",
    ])
      assert.equal(parseCommandLine(DECLARATIONS, words.split(" ")).kind, "run", words);
  });

  test("each contradiction names an option or the argument of its command, and the help shows it", () => {
    for (const command of DECLARATIONS) {
      const known = [...Object.keys(command.options).map((name) => `--${name}`), `<${command.positional}>`];
      for (const [name, { notWith = [] }] of Object.entries(command.options)) {
        for (const other of notWith) {
          assert.ok(known.includes(other), `${command.name} --${name}`);
          assert.ok(explain(command).includes(`not with ${other}`), other);
        }
      }
    }
  });

  test("shows the version, in every spelling", () => {
    for (const word of ["--version", "-v", "version"]) {
      assert.deepEqual(parseCommandLine(DECLARATIONS, [word]), { kind: "version" });
    }
    assert.match(problemOf("--version now"), /^there is no command/);
  });

  test("shows help for everything, for a group, and for a command, in every spelling", () => {
    for (const words of [[], ["--help"], ["-h"], ["help"]]) {
      assert.deepEqual(parseCommandLine(DECLARATIONS, words), { kind: "help", about: DECLARATIONS });
    }
    for (const words of ["key", "key --help", "help key"]) {
      const typed = parseCommandLine(DECLARATIONS, words.split(" "));
      assert.ok(typed.kind === "help" && !("name" in typed.about));
      assert.deepEqual(
        typed.about.map((command) => command.name),
        ["key create", "key list", "key revoke"],
      );
    }
    for (const words of ["key revoke --help", "key revoke --bogus -h", "help key revoke"]) {
      const typed = parseCommandLine(DECLARATIONS, words.split(" "));
      assert.ok(typed.kind === "help" && "name" in typed.about);
      assert.equal(typed.about.name, "key revoke");
    }
  });
});

describe("command line: help", () => {
  test("knows the same commands as the files that run them", async () => {
    const [all, known] = [await loadAllCommands(), DECLARATIONS].map((commands) =>
      JSON.parse(JSON.stringify(commands.map((command) => ({ ...command, group: "" })))),
    );
    assert.deepEqual(known, all, "run npm run docs");
  });

  for (const command of DECLARATIONS) {
    test(`${command.name}: each example parses, and the help shows every option`, () => {
      for (const example of command.examples) {
        const typed = parseCommandLine(DECLARATIONS, wordsOf(example));
        assert.ok(typed.kind === "run" && typed.command === command, example);
      }
      const text = explain(command);
      for (const name of Object.keys(command.options)) assert.ok(text.includes(`--${name}`), name);
      assert.match(command.about, /^[A-Z].*\.$/);
    });
  }

  test("the overview names every command once", () => {
    const lines = overview(DECLARATIONS).split("\n");
    for (const { name } of DECLARATIONS) {
      assert.equal(lines.filter((line) => new RegExp(`^  ${name}( [<[]| {3})`).test(line)).length, 1, name);
    }
  });
});

describe("command line: the closest match", () => {
  test("corrects up to a third of the characters, not more", () => {
    assert.equal(closestMatch("sandbxo", ["sandbox", "audit"]), "sandbox");
    assert.equal(closestMatch("abcdef", ["abcdxx"]), "abcdxx");
    assert.equal(closestMatch("abcdef", ["abcxxx"]), undefined);
    assert.equal(closestMatch("x", []), undefined);
  });
});

describe("command line: progress", () => {
  test("shows an empty, a half full and a full bar", () => {
    const bar = (done: number) => barOf({ done, total: 8, what: "numbers" });
    assert.equal(bar(0), "[........................]   0 %  0 of 8 numbers");
    assert.equal(bar(4), "[############............]  50 %  4 of 8 numbers");
    assert.equal(bar(8), "[########################] 100 %  8 of 8 numbers");
    assert.match(barOf({ done: 0, total: 0, what: "numbers" }), /100 %/);
  });
});

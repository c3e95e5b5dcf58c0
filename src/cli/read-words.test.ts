import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { wordsOf } from "../../tests/support/typed-command.ts";
import { UsageProblem } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { explain, overview } from "./help.ts";
import { nearest } from "./nearest.ts";
import { readWords } from "./read-words.ts";
import { barOf } from "./terminal.ts";

function problemOf(words: string): string {
  try {
    readWords(COMMANDS, words.split(" "));
  } catch (error) {
    assert.ok(error instanceof UsageProblem, String(error));
    assert.doesNotMatch(error.message, /\n/);
    return error.message;
  }
  return assert.fail(`${words} was taken`);
}

describe("command line: what is typed", () => {
  test("a command has its options, its flags and its defaults", () => {
    const typed = readWords(COMMANDS, wordsOf("key create --merchant mer_x --json"));
    assert.ok(typed.asks === "run");
    assert.equal(typed.command.words, "key create");
    assert.deepEqual(typed.given.options, { merchant: "mer_x", scopes: "read,write" });
    assert.equal(typed.json, true);
  });

  test("a word that nobody knows is answered with the nearest", () => {
    assert.match(problemOf("key creat"), /did you mean `key create`\?/);
    assert.match(problemOf("merchnat list"), /did you mean `merchant list`\?/);
    assert.match(problemOf("vualt"), /did you mean `vault`\?/);
    assert.doesNotMatch(problemOf("xylophone"), /did you mean/);
    assert.match(problemOf("key create --merchnt x"), /no option --merchnt, did you mean --merchant\?/);
    assert.doesNotMatch(problemOf("key create --xylophone"), /did you mean/);
  });

  test("what is missing or too much is named", () => {
    assert.match(problemOf("key create"), /^--merchant is missing/);
    assert.match(problemOf("key revoke"), /^<keyId> is missing/);
    assert.match(problemOf("key revoke one two"), /takes one keyId/);
    assert.match(problemOf("merchant list more"), /takes options only/);
    assert.match(problemOf("key create --merchant --json"), /^--merchant needs a value/);
    assert.match(problemOf("key create --merchant"), /^--merchant needs a value/);
    assert.match(problemOf("merchant list --json=yes"), /^--json takes no value/);
  });

  test("help is given for everything, for a group, and for a command, however it is asked for", () => {
    for (const words of [[], ["--help"], ["-h"], ["help"]]) {
      assert.deepEqual(readWords(COMMANDS, words), { asks: "help", about: COMMANDS });
    }
    for (const words of ["key", "key --help", "help key"]) {
      const typed = readWords(COMMANDS, words.split(" "));
      assert.ok(typed.asks === "help" && !("words" in typed.about));
      assert.deepEqual(
        typed.about.map((command) => command.words),
        ["key create", "key list", "key revoke"],
      );
    }
    for (const words of ["key revoke --help", "key revoke --bogus -h", "help key revoke"]) {
      const typed = readWords(COMMANDS, words.split(" "));
      assert.ok(typed.asks === "help" && "words" in typed.about);
      assert.equal(typed.about.words, "key revoke");
    }
  });
});

describe("command line: help", () => {
  for (const command of COMMANDS) {
    test(`${command.words}: each example can be typed as it stands, and the help shows every option`, () => {
      for (const example of command.examples) {
        const typed = readWords(COMMANDS, wordsOf(example));
        assert.ok(typed.asks === "run" && typed.command === command, example);
      }
      const text = explain(command);
      for (const name of Object.keys(command.options)) assert.ok(text.includes(`--${name}`), name);
      assert.match(command.about, /^[A-Z].*\.$/);
    });
  }

  test("the overview names every command once", () => {
    const lines = overview(COMMANDS).split("\n");
    for (const { words } of COMMANDS) {
      assert.equal(lines.filter((line) => new RegExp(`^  ${words}( [<[]| {3})`).test(line)).length, 1, words);
    }
  });
});

describe("command line: the nearest word", () => {
  test("a slip of up to a third is mended, more is not", () => {
    assert.equal(nearest("sandbxo", ["sandbox", "audit"]), "sandbox");
    assert.equal(nearest("abcdef", ["abcdxx"]), "abcdxx");
    assert.equal(nearest("abcdef", ["abcxxx"]), undefined);
    assert.equal(nearest("x", []), undefined);
  });
});

describe("command line: progress", () => {
  test("a bar is empty, half full and full", () => {
    const bar = (done: number) => barOf({ done, total: 8, what: "numbers" });
    assert.equal(bar(0), "[........................]   0 %  0 of 8 numbers");
    assert.equal(bar(4), "[############............]  50 %  4 of 8 numbers");
    assert.equal(bar(8), "[########################] 100 %  8 of 8 numbers");
    assert.match(barOf({ done: 0, total: 0, what: "numbers" }), /100 %/);
  });
});

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isFinal, type Lifecycle, nextState } from "./lifecycle.ts";

const gate: Lifecycle<"open" | "shut" | "walled", "push" | "pull" | "build"> = {
  open: { push: "shut" },
  shut: { pull: "open", build: "walled" },
  walled: {},
};

describe("a lifecycle table", () => {
  test("a trigger that the state has leads on", () => {
    assert.equal(nextState(gate, "open", "push"), "shut");
    assert.equal(nextState(gate, "shut", "pull"), "open");
    assert.equal(nextState(gate, "shut", "build"), "walled");
  });

  test("a trigger that the state does not have leads nowhere", () => {
    assert.equal(nextState(gate, "open", "pull"), undefined);
    assert.equal(nextState(gate, "open", "build"), undefined);
    assert.equal(nextState(gate, "walled", "push"), undefined);
  });

  test("a state without triggers is final, and no other is", () => {
    assert.deepEqual(
      (["open", "shut", "walled"] as const).map((state) => isFinal(gate, state)),
      [false, false, true],
    );
  });
});

/**
 * The test runner follows every promise and timer back to its test: for a `test` or `before` that is called while files
 * load, and to name the test of an error that nothing awaits. Our gateways run in the same process, so this is a tenth to
 * a fifth of its work. Import this before `node:test`, and call `endTracking` once the files have loaded. An error that
 * nothing awaits then fails the process and not its test; `npm test -- <file>` runs with the tracking, and names the test.
 * No `describe` may be asynchronous: what it awaits stands above it, in its file.
 */
import hooks from "node:async_hooks";

const { createHook } = hooks;
let tracking: hooks.AsyncHook | undefined;

hooks.createHook = (callbacks) => {
  hooks.createHook = createHook;
  tracking = createHook(callbacks);
  return tracking;
};

export function endTracking(): void {
  tracking?.disable();
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { ownPath } from "./own-path.ts";

test("a page keeps its search, also with spaces and signs", () => {
  for (const path of [
    "/dashboard",
    "/dashboard/mer_1/transactions?q=kim+lee&status=approved",
    "/dashboard/mer_1/transactions?q=%C3%A9*~!'(),;@x.example",
  ])
    assert.equal(ownPath(path), path);
});

test("a path that could lead elsewhere leads to the dashboard", () => {
  for (const path of [
    undefined,
    "//evil.example",
    "https://evil.example",
    "/dashboardevil",
    "/dashboard//evil.example",
    "/dashboard/?next=//evil.example",
    "/dashboard/@evil.example",
    "/dashboard/\\evil.example",
    "/dashboard/?q=a\nb",
  ])
    assert.equal(ownPath(path), "/dashboard", path);
});

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { makeLink } from "../../../src/features/dashboard-users/index.ts";
import { newVisitor } from "../../support/dashboard.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { inWorld } from "../../support/operator.ts";

const PASSWORD = "a harbour in the morning";

describe("dashboard: who gets in", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway();
  });
  after(() => gateway.stop());

  test("a one-time link makes the first operator, works once, and the password opens the door after that", async () => {
    const link = await inWorld(gateway.database, (world) =>
      world.db.transaction((tx) => makeLink(world, tx, null)),
    );
    const visitor = newVisitor(gateway.baseUrl);
    assert.equal((await visitor.get("/dashboard")).goTo, "/dashboard/signin?next=%2Fdashboard");
    await visitor.get("/dashboard/welcome");
    assert.equal((await visitor.submit("/dashboard/welcome", { link })).status, 200);
    const given = { email: "Ops@Gateway.example", name: "Aroha", password: PASSWORD };
    const made = await visitor.submit("/dashboard/welcome/finish", given);
    assert.equal(made.goTo, "/dashboard");
    const page = await visitor.follow(made);
    assert.equal(page.status, 200);
    assert.match(page.text, /API keys/);

    const other = newVisitor(gateway.baseUrl);
    await other.get("/dashboard/welcome");
    assert.equal((await other.submit("/dashboard/welcome", { link })).status, 404, "the link is used up");

    await other.get("/dashboard/signin");
    const wrong = await other.submit("/dashboard/signin", { email: given.email, password: "something else" });
    assert.equal(wrong.status, 401);
    const right = await other.submit("/dashboard/signin", {
      email: "ops@gateway.example",
      password: PASSWORD,
    });
    assert.equal(right.goTo, "/dashboard");
    assert.equal((await other.follow(right)).status, 200);
  });
});

import assert from "node:assert/strict";
import fc from "fast-check";
import { callApi, ok } from "../../support/checkout.ts";
import { command, crashAfter } from "./command.ts";
import { make, write } from "./real.ts";

/** Mostly on: without a capability half of the model waits. */
const capability = fc.oneof(
  { weight: 4, arbitrary: fc.constant(true) },
  { weight: 1, arbitrary: fc.constant(false) },
);

export const changeAccount = fc
  .record({ name: fc.constantFrom("Tide", "Gate"), payId: capability, directDebit: capability, crashAfter })
  .map(({ crashAfter, ...account }) =>
    command(`change account ${JSON.stringify({ ...account, crashAfter })}`, async (model, real) => {
      const path = "/management/account";
      const { name, ...capabilities } = account;
      const body = { name, capabilities };
      await make(model, real, { method: "PUT", path, body, crashAfter });
      model.account = account;
      const read = ok(await callApi(real.shop(), "GET", path));
      const { payId, directDebit, cardNotPresent } = read.capabilities;
      assert.deepEqual({ name: read.name, payId, directDebit }, account);
      assert.equal(cardNotPresent, true, "a capability that was not sent has changed");
    }),
  );

/** The sandbox takes `localhost` unverified. A domain that is not registered cannot be removed. */
export const changeDomains = fc
  .record({ method: fc.constantFrom("POST", "DELETE"), crashAfter })
  .map(({ method, crashAfter }) =>
    command(`${method} Apple Pay domain ${crashAfter ?? ""}`, async (model, real) => {
      const path = "/management/applepaydomains";
      const isAdded = method === "POST";
      const refused = isAdded || model.isDomainRegistered ? undefined : 404;
      const body = { domains: ["localhost"] };
      if ((await write(model, real, { method, path, body, crashAfter, refused })) !== undefined)
        model.isDomainRegistered = isAdded;
      const { domains } = ok(await callApi(real.shop(), "GET", path));
      assert.deepEqual(domains, model.isDomainRegistered ? ["localhost"] : []);
    }),
  );

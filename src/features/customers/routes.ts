import { refuse } from "../../kernel/refusal.ts";
import { cutPage, listAnswer, listQuery, pageOf } from "../../platform/http/lists.ts";
import { pairFilter } from "../../platform/http/metadata.ts";
import type { Route } from "../../platform/http/route.ts";
import { type Caller, merchantRoute, ok, RESULT_OK } from "../merchants/index.ts";
import { changeCustomer } from "./change-customer.ts";
import { createCustomer } from "./create-customer.ts";
import { type InstrumentReader, NO_INSTRUMENTS } from "./customer-instruments.ts";
import { presentCustomer } from "./present.ts";
import { findCustomer, listCustomers } from "./queries.ts";
import { CUSTOMER_FILTERS, CustomerBody, CustomerChangeBody, customerAnswer } from "./wire.ts";

const GROUP = "Customers";

export function customerRoutes(reader: InstrumentReader): readonly Route<Caller>[] {
  const CustomerAnswer = customerAnswer(reader.instrument);
  return [
    merchantRoute({
      method: "POST",
      path: "/customers",
      name: "createCustomer",
      group: GROUP,
      summary: "Create a customer",
      about: "A record of a payer. A checkout can also create one while it stores a card.",
      scope: "write",
      body: CustomerBody,
      answer: CustomerAnswer,
      example: {
        name: "Jamie Lee",
        email: "jamie@example.com",
        reference: "member-1001",
        metadata: { tier: "gold" },
      },
      run: async (ctx, { caller, body }) =>
        presentCustomer(await createCustomer(ctx, caller, body), NO_INSTRUMENTS, caller.mode),
    }),
    merchantRoute({
      method: "GET",
      path: "/customers",
      name: "listCustomers",
      group: GROUP,
      summary: "List customers",
      about: "Newest first, with masked e-mail addresses.",
      scope: "read",
      query: listQuery("customer", CUSTOMER_FILTERS),
      answer: listAnswer("customers", CustomerAnswer, RESULT_OK),
      run: async (ctx, { caller, query }) => {
        const page = pageOf("customer", query);
        const { reference, metadata } = query;
        const filters = { reference, pair: pairFilter(metadata) };
        const rows = await listCustomers(ctx.reads, caller.merchantId, page, filters);
        const { shown, nextCursor } = cutPage(rows, page);
        const ids = shown.map(({ id }) => id);
        const instruments = await reader.read(ctx.reads, caller.merchant, ids);
        const customers = shown.map((one) =>
          presentCustomer(one, instruments.get(one.id) ?? NO_INSTRUMENTS, caller.mode),
        );
        return { count: shown.length, customers, nextCursor, result: ok(caller.mode) };
      },
    }),
    merchantRoute({
      method: "GET",
      path: "/customers/{customerId}",
      name: "getCustomer",
      group: GROUP,
      summary: "Read a customer",
      about: "With its payment instruments, newest first: all of them, or the newest 100 if there are more.",
      scope: "read",
      answer: CustomerAnswer,
      run: async (ctx, { caller, params }) => {
        const customer =
          (await findCustomer(ctx.db, caller.merchantId, params.customerId)) ?? refuse("resource_not_found");
        const instruments = await reader.read(ctx.db, caller.merchant, [customer.id]);
        return presentCustomer(customer, instruments.get(customer.id) ?? NO_INSTRUMENTS, caller.mode);
      },
    }),
    merchantRoute({
      method: "PUT",
      path: "/customers/{customerId}",
      name: "changeCustomer",
      group: GROUP,
      summary: "Change a customer",
      about:
        "Takes any subset of the fields; `metadata` replaces all pairs. A change to the same values publishes no event.",
      scope: "write",
      body: CustomerChangeBody,
      answer: CustomerAnswer,
      example: { email: "jamie.lee@example.com" },
      run: async (ctx, { caller, params, body }) => {
        const changed = await changeCustomer(ctx, caller, { id: params.customerId, change: body, reader });
        return presentCustomer(changed.customer, changed.instruments, caller.mode);
      },
    }),
  ];
}

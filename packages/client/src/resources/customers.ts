import type { Call } from "../call.ts";
import type { ChangeCustomerBody, CreateCustomerBody, Operations } from "../generated/api.ts";
import type { CallOptions } from "../options.ts";
import { eachOf, type FiltersOf } from "../pages.ts";
import { shown } from "../shown.ts";

type Query = Operations["listCustomers"]["query"];

/** As answers show it. */
function maskedEmail({ email }: ChangeCustomerBody): { readonly email?: string } {
  if (email === undefined) return {};
  return { email: `${email.charAt(0)}XXXXXXXXXX${email.slice(email.lastIndexOf("@"))}` };
}

export function customersOf(call: Call) {
  const read = { reads: "getCustomer" } as const;
  return {
    create: (body: CreateCustomerBody, options?: CallOptions) => {
      const proof = shown<"createCustomer">("customer", { reference: body.reference });
      return call("createCustomer", { body, recovery: { ...read, proof } }, options);
    },
    get: (customerId: string, options?: CallOptions) =>
      call("getCustomer", { params: { customerId } }, options),
    /** Changes any of its fields. */
    update: (customerId: string, body: ChangeCustomerBody, options?: CallOptions) => {
      const recovery = {
        ...read,
        proof: shown<"changeCustomer">("change", { ...body, ...maskedEmail(body) }),
      };
      return call("changeCustomer", { params: { customerId }, body, recovery }, options);
    },
    list: (query?: Query, options?: CallOptions) => call("listCustomers", { query }, options),
    listAll: (filters?: FiltersOf<"listCustomers">, options?: CallOptions) =>
      eachOf(call, "listCustomers", { filters }, options),
  };
}

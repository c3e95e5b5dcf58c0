import type { Call, OperationName } from "./call.ts";
import { OPERATIONS, type Operations } from "./generated/api.ts";
import type { CallOptions } from "./options.ts";

/** Operations that return a page of a list. */
export type ListName = {
  [Name in OperationName]: (typeof OPERATIONS)[Name] extends { readonly items: string } ? Name : never;
}[OperationName];

type ItemsField<Name extends ListName> = (typeof OPERATIONS)[Name] extends { readonly items: infer Field }
  ? Field & keyof Operations[Name]["answer"]
  : never;

/** One row of such a list. */
export type ItemOf<Name extends ListName> =
  Operations[Name]["answer"][ItemsField<Name>] extends readonly (infer Item)[] ? Item : never;

/** Filters of a list; `limit` is then the size of the pages that are fetched. */
export type FiltersOf<Name extends ListName> = Omit<NonNullable<Operations[Name]["query"]>, "cursor">;

/** Every row of a list, newest first. The next page is fetched when its first row is needed. */
export async function* eachOf<Name extends ListName>(
  call: Call,
  name: Name,
  input: {
    readonly params?: Readonly<Record<string, string>>;
    readonly filters?: FiltersOf<Name> | undefined;
  },
  options?: CallOptions,
): AsyncGenerator<ItemOf<Name>, void, undefined> {
  const { items } = OPERATIONS[name];
  let cursor: string | undefined;
  do {
    const query = { limit: 100, ...input.filters, cursor } as unknown as NonNullable<
      Operations[Name]["query"]
    >;
    const page = (await call(name, { ...input, query }, options)) as unknown as Page<ItemOf<Name>>;
    yield* page[items] ?? [];
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

type Page<Item> = { readonly [field: string]: readonly Item[] | undefined } & {
  readonly nextCursor: string | null;
};

import type { Acquirer, Acquirers } from "../../src/connectors/ports/acquirers.ts";
import type { AuthorisationRequest, CardAcquirer } from "../../src/connectors/ports/card-acquirer.ts";
import type { Context } from "../../src/platform/context.ts";

/** A context in which the sandbox's acquirer serves live merchants, too: as if the operator had connected one. */
export function withLiveAcquirer(ctx: Context): Context {
  const acquirers: Acquirers = {
    ...ctx.acquirers,
    listActive: ({ id }) => ctx.acquirers.listActive({ id, mode: "sandbox" }),
    get: ({ id }, accountId) => ctx.acquirers.get({ id, mode: "sandbox" }, accountId),
  };
  return { ...ctx, acquirers };
}

/** A context whose card acquirer answers some calls differently. The change is read at every call. */
export function withAcquirer(
  ctx: Context,
  change: (acquirer: CardAcquirer) => Partial<CardAcquirer>,
): Context {
  return mapAcquirers(ctx, (host) => ({ ...host, ...change(host) }));
}

/** A context whose card acquirer notes each authorisation by its reference, and answers as before. */
export function notingAuthorisations(ctx: Context, noted: Map<string, AuthorisationRequest>): Context {
  return withAcquirer(ctx, ({ authorise }) => ({
    authorise: (request, signal) => {
      noted.set(request.reference, request);
      return authorise(request, signal);
    },
  }));
}

/** A context whose acquirers go through `map` at every call. */
export function mapAcquirers(ctx: Context, map: (host: CardAcquirer) => CardAcquirer): Context {
  const mapped = (acquirer: Acquirer): Acquirer => ({ ...acquirer, host: map(acquirer.host) });
  const acquirers: Acquirers = {
    ...ctx.acquirers,
    listActive: async (merchant) => (await ctx.acquirers.listActive(merchant)).map(mapped),
    get: async (merchant, accountId) => mapped(await ctx.acquirers.get(merchant, accountId)),
  };
  return { ...ctx, acquirers };
}

import type { FastifyRequest } from "fastify";
import { type Problem, refuseAll } from "../../kernel/refusal.ts";
import { actingAs } from "../audit/actor.ts";
import type { Context } from "../context.ts";
import { isDatabaseAway } from "../db/errors.ts";
import type { KeyedCaller } from "./route.ts";
import { object, type Schema, type Static } from "./schema.ts";
import type { HttpServer } from "./server.ts";
import { compileValidator, type Loose, type Sound, withRules } from "./validate.ts";
import { type Visitor, visitorOf } from "./visitor.ts";

/** A POST of one of our own pages. No API key: what counts is the session that the page holds, if any. */
export type PayerRouteSpec<Body extends Schema> = {
  readonly path: string;
  readonly body?: Body;
  readonly rules?: (
    body: Loose<Static<Body>>,
    facts: { readonly ctx: Context; readonly sound: Sound },
  ) => readonly Problem[];
  /** What `run` would refuse, too. Asked for a body with other problems alone. */
  readonly lookUp?: (
    body: Loose<Static<Body>>,
    facts: { readonly ctx: Context; readonly sound: Sound; readonly session: string | undefined },
  ) => Promise<readonly Problem[]>;
  readonly run: (
    ctx: Context,
    input: { readonly body: Static<Body>; readonly session: string | undefined; readonly visitor: Visitor },
  ) => Promise<object>;
};

export type PayerRoute = PayerRouteSpec<Schema>;

export function payerRoute<Body extends Schema>(spec: PayerRouteSpec<Body>): PayerRoute {
  return spec as unknown as PayerRoute;
}

const NO_BODY = object({ code: "body_object_invalid" }, {});

/** What a page of ours proves with, in whichever place a route takes it. */
export type PayerSecrets = { readonly session: unknown; readonly token: unknown };

export type PayerRouteParts = {
  readonly ctx: Context;
  /** The mode of the merchant whose session or token it is. Asked for refusals alone. */
  readonly findMode: (ctx: Context, secrets: PayerSecrets) => Promise<KeyedCaller["mode"] | undefined>;
};

/** Mounts them: body, schema, rules, verb. */
export function mountPayerRoutes(
  server: HttpServer,
  routes: readonly PayerRoute[],
  { ctx, findMode }: PayerRouteParts,
): void {
  /** Adds the mode, then leaves the answer to the server. Without a database it is not asked: that would take as long again. */
  const errorHandler = async (error: unknown, request: FastifyRequest) => {
    const sent = (request.body ?? {}) as { readonly session?: unknown; readonly token?: unknown };
    const session = request.headers["x-checkout-session"] ?? sent.session;
    if (!isDatabaseAway(error))
      request.knownMode = await findMode(ctx, { session, token: sent.token }).catch(() => undefined);
    throw error;
  };
  for (const route of routes) {
    const checkBody = compileValidator(route.body ?? NO_BODY, "body_field_unknown");
    // oxlint-disable-next-line typescript/no-misused-promises -- Fastify waits for it, and gives what it throws to the server.
    server.post(route.path, { errorHandler }, async (request, reply) => {
      const sent = request.body === undefined && route.body === undefined ? {} : request.body;
      const body = checkBody(sent);
      const header = request.headers["x-checkout-session"];
      const session = typeof header === "string" ? header : undefined;
      const { loose, sound } = body;
      const problems = withRules(
        body,
        (loose === undefined ? [] : route.rules?.(loose, { ctx, sound })) ?? [],
      );
      if (problems.length > 0) {
        const more = loose === undefined ? [] : await route.lookUp?.(loose, { ctx, sound, session });
        refuseAll([...problems, ...(more ?? [])]);
      }
      const input = { body: sent, session, visitor: visitorOf(request) };
      const by = { actor: "payer", address: request.ip };
      const answer = await actingAs(by, () => route.run(ctx, input));
      return reply.send(answer);
    });
  }
}

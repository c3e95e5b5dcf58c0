import { type Problem, refuseAll } from "../../kernel/refusal.ts";
import { actingAs } from "../audit/actor.ts";
import type { Context } from "../context.ts";
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

/** Mounts them: body, schema, rules, verb. */
export function mountPayerRoutes(server: HttpServer, routes: readonly PayerRoute[], ctx: Context): void {
  for (const route of routes) {
    const checkBody = compileValidator(route.body ?? NO_BODY, "body_field_unknown");
    server.post(route.path, async (request, reply) => {
      const sent = request.body === undefined && route.body === undefined ? {} : request.body;
      const body = checkBody(sent);
      const rules = body.loose === undefined ? [] : route.rules?.(body.loose, { ctx, sound: body.sound });
      refuseAll(withRules(body, rules ?? []));
      const session = request.headers["x-checkout-session"];
      const input = {
        body: sent,
        session: typeof session === "string" ? session : undefined,
        visitor: visitorOf(request),
      };
      const by = { actor: "payer", address: request.ip };
      const answer = await actingAs(by, () => route.run(ctx, input));
      return reply.send(answer);
    });
  }
}

import type { FastifyRequest } from "fastify";

/** The browser that sent a request, as its connection and headers show it. A value may be empty. */
export type Visitor = {
  readonly ipAddress: string;
  readonly acceptHeader: string;
  readonly userAgent: string;
  readonly language: string;
  /** The complete list of preferred languages, as the browser sends it. */
  readonly acceptLanguage: string;
};

/** The longest header that is passed on. */
const LONGEST = 2_048;

export function visitorOf({ ip, headers }: Pick<FastifyRequest, "ip" | "headers">): Visitor {
  const acceptLanguage = (headers["accept-language"] ?? "").slice(0, LONGEST);
  const [language = ""] = acceptLanguage.split(/[,;]/);
  return {
    ipAddress: ip,
    acceptHeader: (headers.accept ?? "").slice(0, LONGEST),
    userAgent: (headers["user-agent"] ?? "").slice(0, LONGEST),
    language: language.trim().slice(0, 35),
    acceptLanguage,
  };
}

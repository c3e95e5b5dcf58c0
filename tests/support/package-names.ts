import { registerHooks } from "node:module";

/**
 * Lets sources that integrators copy or install import packages by name: each name becomes a file of this checkout. It
 * counts for what is imported afterwards, so import those sources with `await import()`.
 */
export function resolvePackages(files: Readonly<Record<string, URL>>): void {
  registerHooks({
    resolve: (specifier, context, next) => next(files[specifier]?.href ?? specifier, context),
  });
}

export const CLIENT_SOURCES = new URL("../../packages/client/src/index.ts", import.meta.url);

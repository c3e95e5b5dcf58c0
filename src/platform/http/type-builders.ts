import type { Type as TypeBox } from "typebox";

/** Of TypeBox, what schema.ts uses. */
type Builders = Pick<
  typeof TypeBox,
  "String" | "Integer" | "Number" | "Boolean" | "Null" | "Object" | "Array" | "Union" | "Unsafe" | "Optional"
>;

/**
 * Builds the schemas that TypeBox builds, whose types they have. Its own functions come with all of its 373 modules, which
 * every start would load and keep in memory.
 */
export const Type = {
  String: (options?: object) => ({ type: "string", ...options }),
  Integer: (options?: object) => ({ type: "integer", ...options }),
  Number: (options?: object) => ({ type: "number", ...options }),
  Boolean: (options?: object) => ({ type: "boolean", ...options }),
  Null: (options?: object) => ({ type: "null", ...options }),
  Object: (properties: Readonly<Record<string, object>>, options?: object) => {
    const required = Object.keys(properties).filter((name) => !isOptional(properties[name]));
    return { type: "object", ...(required.length > 0 ? { required } : {}), properties, ...options };
  },
  Array: (items: object, options?: object) => ({ type: "array", items, ...options }),
  Union: (anyOf: readonly object[], options?: object) => ({ anyOf, ...options }),
  Unsafe: (schema: object) => ({ ...schema }),
  Optional: (schema: object) => Object.defineProperty({ ...schema }, OPTIONAL, { value: true }),
} as object as Builders;

const OPTIONAL = "~optional";

/** The mark is not enumerable: it is none of the schema's words, and a copy is not optional. */
function isOptional(schema: object | undefined): boolean {
  return schema !== undefined && OPTIONAL in schema;
}

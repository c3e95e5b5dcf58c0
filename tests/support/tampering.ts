/** Repeatable randomness. */
export type Dice = { readonly below: (limit: number) => number };

export function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  return {
    below: (limit) => {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
    },
  };
}

/** Base64 with one bit of its bytes flipped. */
export function flipBit(dice: Dice, base64: string): string {
  const bytes = Buffer.from(base64, "base64");
  const at = dice.below(bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << dice.below(8));
  return bytes.toString("base64");
}

type Json = Readonly<Record<string, unknown>>;

export function placesOf(object: object): readonly string[] {
  return Object.keys(object);
}

const OTHERS: readonly unknown[] = [null, 0, true, "", "AAAA", [], {}, ["AAAA"], { a: "AAAA" }, "ECv1", -1];

/** The object with one field, at any depth, changed, shortened or removed. */
export function changeSomething(dice: Dice, object: Json): Json {
  const names = Object.keys(object);
  const name = names[dice.below(names.length)] ?? "";
  const value = object[name];
  const inner = typeof value === "object" && value !== null && !Array.isArray(value);
  if (inner && dice.below(2) === 0) return { ...object, [name]: changeSomething(dice, value as Json) };
  const { [name]: _gone, ...rest } = object;
  const way = dice.below(5);
  if (way === 0) return rest;
  if (typeof value === "string" && value.length > 1) {
    if (way === 1) return { ...object, [name]: value.slice(0, dice.below(value.length)) };
    if (way === 2) return { ...object, [name]: value + value.slice(0, 1 + dice.below(value.length)) };
    if (way === 3) return { ...object, [name]: flipBit(dice, value) };
  }
  return { ...object, [name]: OTHERS[dice.below(OTHERS.length)] };
}

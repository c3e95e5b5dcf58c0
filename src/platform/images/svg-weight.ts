import type { SaxesTagNS } from "saxes";

/** An element with what it holds and what it points at: enough to know how much a browser has to draw. */
export type Drawn = {
  readonly id: string | undefined;
  readonly pointsAt: readonly string[];
  readonly children: Drawn[];
};

/** A logo of 10 KB holds some 2,500 elements at the very most; a few copies of them are fine. */
const WEIGHT_MAX = 10_000;

export function drawnFrom(tag: SaxesTagNS): Drawn {
  const values = Object.values(tag.attributes);
  const links = values.filter(({ local, value }) => local === "href" && value.startsWith("#"));
  const paints = values.flatMap(({ value }) => [...value.matchAll(/url\(\s*["']?#([^\s"')]+)/gi)]);
  return {
    id: tag.attributes["id"]?.value,
    pointsAt: [...links.map(({ value }) => value.slice(1)), ...paints.map(([, mark = ""]) => mark)],
    children: [],
  };
}

/**
 * Twelve rows of `use`, each showing the row below ten times, are a kilobyte and would be drawn 10^12 times over. So every
 * reference counts as a copy of its target, and a target that holds itself is refused.
 */
export function isLight(root: Drawn): boolean {
  const byId = new Map<string, Drawn>();
  const weights = new Map<Drawn, number>();
  collect(root, byId);
  return weigh(root, byId, weights) <= WEIGHT_MAX;
}

/** Of several elements with one id, browsers take the first. */
function collect(drawn: Drawn, byId: Map<string, Drawn>): void {
  if (drawn.id !== undefined && !byId.has(drawn.id)) byId.set(drawn.id, drawn);
  for (const child of drawn.children) collect(child, byId);
}

function weigh(drawn: Drawn, byId: ReadonlyMap<string, Drawn>, weights: Map<Drawn, number>): number {
  const known = weights.get(drawn);
  if (known !== undefined) return known;
  weights.set(drawn, Number.POSITIVE_INFINITY); // What is met again before it is weighed holds itself.
  const targets = drawn.pointsAt.map((id) => byId.get(id)).filter((target) => target !== undefined);
  const weight = [...drawn.children, ...targets].reduce((sum, part) => sum + weigh(part, byId, weights), 1);
  weights.set(drawn, weight);
  return weight;
}
